// Linear blend skinning of positions and normals: the loop that the kernels are compared with, as a C++ programmer would
// write it. Compile with -O3 -march=native. Usage: lbs <vertices> <bones> <frames>; prints the nanoseconds of the fastest
// frame. Four influences per vertex; normals by the cofactors of the blended matrix, at length 1.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

void lbs(int vertices, const float* rest, const float* restNormals, const uint16_t* joints, const float* weights,
         const float* bones, float* positions, float* normals) {
  for (int i = 0; i < vertices; i++) {
    float m[12] = {};
    for (int s = 0; s < 4; s++) {
      const float w = weights[4 * i + s];
      const float* bone = bones + 12 * joints[4 * i + s];
      for (int c = 0; c < 12; c++) m[c] += w * bone[c];
    }
    const float x = rest[3 * i], y = rest[3 * i + 1], z = rest[3 * i + 2];
    for (int r = 0; r < 3; r++) positions[3 * i + r] = m[4 * r] * x + m[4 * r + 1] * y + m[4 * r + 2] * z + m[4 * r + 3];

    const float c00 = m[5] * m[10] - m[6] * m[9], c01 = m[6] * m[8] - m[4] * m[10], c02 = m[4] * m[9] - m[5] * m[8];
    const float c10 = m[2] * m[9] - m[1] * m[10], c11 = m[0] * m[10] - m[2] * m[8], c12 = m[1] * m[8] - m[0] * m[9];
    const float c20 = m[1] * m[6] - m[2] * m[5], c21 = m[2] * m[4] - m[0] * m[6], c22 = m[0] * m[5] - m[1] * m[4];
    const float nx = restNormals[3 * i], ny = restNormals[3 * i + 1], nz = restNormals[3 * i + 2];
    const float px = c00 * nx + c01 * ny + c02 * nz;
    const float py = c10 * nx + c11 * ny + c12 * nz;
    const float pz = c20 * nx + c21 * ny + c22 * nz;
    const float squared = px * px + py * py + pz * pz;
    const bool usable = squared > 1e-37f && squared < INFINITY;
    const float scale = std::copysign(1 / std::sqrt(squared), m[0] * c00 + m[1] * c01 + m[2] * c02);
    normals[3 * i] = usable ? px * scale : nx;
    normals[3 * i + 1] = usable ? py * scale : ny;
    normals[3 * i + 2] = usable ? pz * scale : nz;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int n = std::atoi(argv[1]), b = std::atoi(argv[2]), frames = std::atoi(argv[3]);
  std::mt19937 random(1);
  std::uniform_real_distribution<float> unit(0, 1);
  std::vector<float> rest(3 * n), restNormals(3 * n), weights(4 * n), bones(12 * b), positions(3 * n), normals(3 * n);
  std::vector<uint16_t> joints(4 * n);
  for (float& x : rest) x = unit(random);
  for (float& x : restNormals) x = unit(random) - 0.5f;
  for (float& x : bones) x = unit(random) - 0.5f;
  for (uint16_t& j : joints) j = random() % b;
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int s = 0; s < 4; s++) sum += weights[4 * i + s] = unit(random);
    for (int s = 0; s < 4; s++) weights[4 * i + s] /= sum;
  }
  double best = 1e30;
  float checksum = 0;
  for (int k = 0; k < frames; k++) {
    bones[k % bones.size()] += 1e-3f;  // so that no frame can be taken for the last one
    const auto start = std::chrono::steady_clock::now();
    lbs(n, rest.data(), restNormals.data(), joints.data(), weights.data(), bones.data(), positions.data(), normals.data());
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
    checksum += positions[k % positions.size()] + normals[k % normals.size()];
  }
  std::printf("%.0f %g\n", best, checksum);
}

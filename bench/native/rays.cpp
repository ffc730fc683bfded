// Rays by Embree, one thread, one ray per call: what the ray kernels are compared with. Compile with -O3 -march=native
// -lembree3. Usage: rays <file> <turns>. The file has counts of vertices, triangles and rays (u32), then positions (f32),
// triangles (u32), origins and directions (f32). Prints, of the fastest turns, in seconds of the thread: building, closest
// hits, any hits; and how many rays met something.
#include <embree3/rtcore.h>
#include <time.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

double now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

template <typename T>
std::vector<T> read(FILE* file, size_t count) {
  std::vector<T> out(count);
  if (std::fread(out.data(), sizeof(T), count, file) != count) std::exit(2);
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  FILE* file = std::fopen(argv[1], "rb");
  if (!file) return 2;
  const auto counts = read<uint32_t>(file, 3);
  const size_t vertices = counts[0], triangles = counts[1], rays = counts[2];
  const auto positions = read<float>(file, 3 * vertices);
  const auto corners = read<uint32_t>(file, 3 * triangles);
  const auto origins = read<float>(file, 3 * rays), directions = read<float>(file, 3 * rays);

  RTCDevice device = rtcNewDevice("threads=1,set_affinity=0");
  double build = 1e9, closest = 1e9, any = 1e9;
  size_t met = 0;
  for (int turn = 0; turn < std::atoi(argv[2]); turn++) {
    double start = now();
    RTCScene scene = rtcNewScene(device);
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    std::memcpy(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, vertices),
                positions.data(), 12 * vertices);
    std::memcpy(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, triangles),
                corners.data(), 12 * triangles);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
    build = std::min(build, now() - start);

    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    start = now();
    met = 0;
    for (size_t i = 0; i < rays; i++) {
      RTCRayHit ray = {};
      ray.ray.org_x = origins[3 * i], ray.ray.org_y = origins[3 * i + 1], ray.ray.org_z = origins[3 * i + 2];
      ray.ray.dir_x = directions[3 * i], ray.ray.dir_y = directions[3 * i + 1], ray.ray.dir_z = directions[3 * i + 2];
      ray.ray.tfar = INFINITY;
      ray.ray.mask = -1;
      ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
      rtcIntersect1(scene, &context, &ray);
      met += ray.hit.geomID != RTC_INVALID_GEOMETRY_ID;
    }
    closest = std::min(closest, now() - start);

    start = now();
    for (size_t i = 0; i < rays; i++) {
      RTCRay ray = {};
      ray.org_x = origins[3 * i], ray.org_y = origins[3 * i + 1], ray.org_z = origins[3 * i + 2];
      ray.dir_x = directions[3 * i], ray.dir_y = directions[3 * i + 1], ray.dir_z = directions[3 * i + 2];
      ray.tfar = INFINITY;
      ray.mask = -1;
      rtcOccluded1(scene, &context, &ray);
    }
    any = std::min(any, now() - start);
    rtcReleaseScene(scene);
  }
  rtcReleaseDevice(device);
  std::printf("%g %g %g %zu\n", build, closest, any, met);
}

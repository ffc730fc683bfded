import { expect, it } from 'vitest';
import { frameMatrices } from '../../src/decompose/bones/bone-frames.ts';
import { paletteOfFrame } from '../../src/decompose/frames.ts';
import { reduceSequence } from '../../src/decompose/reduce.ts';
import { transformPoint34 } from '../../src/math/matrix34.ts';
import { randomNormal, seededRandom } from '../../src/math/rng.ts';
import { memorySequence } from '../../src/model/sequence.ts';

it('frameMatrices says in file units what the palette says in normalised ones', async () => {
  const random = seededRandom(5);
  const positions = Float32Array.from({ length: 30 }, () => 40 + 7 * random());
  const sequence = memorySequence('s', { positions, triangles: new Uint32Array(0) }, [positions, positions]);
  const problem = await reduceSequence(sequence, 1e-6);
  const bones = Float64Array.from({ length: 4 * 3 * 6 }, () => randomNormal(random)); // 3 bones, 2 frames
  const matrices = frameMatrices(problem, bones);
  const { centre, diagonal } = problem;
  for (let k = 0; k < 2; k++) {
    const palette = paletteOfFrame(bones, 2, k, new Float64Array(36));
    for (let j = 0; j < 3; j++) {
      for (let i = 0; i < 10; i++) {
        const file = [0, 0, 0];
        const normalised = [0, 0, 0];
        transformPoint34(file, 0, matrices, 12 * (3 * k + j), positions, 3 * i);
        const rest = centre.map((x, c) => (positions[3 * i + c] - x) / diagonal);
        transformPoint34(normalised, 0, palette, 12 * j, rest, 0);
        for (let c = 0; c < 3; c++) expect(file[c]).toBeCloseTo(centre[c] + diagonal * normalised[c], 10);
      }
    }
  }
});

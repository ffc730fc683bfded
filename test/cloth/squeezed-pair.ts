import type { ClothPair } from '../../src/cloth/pairs.ts';
import { sheet } from '../../src/cloth/shapes.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { memorySequence } from '../../src/model/sequence.ts';

/** A square sheet. */
export const make = (vertices: number, size = 1): Mesh =>
  sheet('cloth', vertices, [-0.5 * size, 0, 0.5 * size], [size, 0, 0], [0, 0, -size]);

/** Waves along x of a height that follows how far the coarse cloth is squeezed there: all that is to be learned. */
export function squeezedPair(motion: (t: number) => number, frames = 40, size = 1): ClothPair {
  const [coarse, fine] = [make(20, size), make(300, size)];
  const at = (mesh: Mesh, k: number, wrinkled: boolean) =>
    mesh.positions.map((x, c) => {
      const squeeze = motion(k / 10);
      const along = mesh.positions[c - (c % 3)] / size;
      if (c % 3 === 0) return x * (1 - squeeze);
      return c % 3 === 1 && wrinkled ? x + size * 0.5 * squeeze * Math.sin(25 * along) : x;
    });
  const times = Float64Array.from({ length: frames }, (_, k) => k / 30);
  const sequence = (mesh: Mesh, wrinkled: boolean) =>
    memorySequence(
      'squeeze',
      mesh,
      Array.from(times, (_, k) => at(mesh, k, wrinkled)),
      times,
    );
  return { name: 'squeeze', coarse: sequence(coarse, false), fine: sequence(fine, true) };
}

/** A squeeze that comes and goes. */
export const wavy = (t: number) => 0.1 + 0.1 * Math.sin(t);

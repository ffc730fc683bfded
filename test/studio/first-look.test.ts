import fc from 'fast-check';
import { Vector3 } from 'three';
import { expect, it } from 'vitest';
import { MARGIN, placeFor } from '../../studio/src/viewport/first-look.ts';

const FIELD = 35;

it('the first camera sees all points with a margin, in the middle', () => {
  const number = fc.double({ min: -1, max: 1, noNaN: true });
  const points = fc.array(fc.tuple(number, number, number), { minLength: 2, maxLength: 20 });
  fc.assert(
    fc.property(points, fc.constantFrom('x', 'y', 'z' as const), fc.constantFrom(1e-3, 1, 1e3), (some, up, size) => {
      const places = some.map((point) => new Vector3(...point).multiplyScalar(size));
      const centre = places.reduce((sum, place) => sum.addScaledVector(place, 1 / places.length), new Vector3());
      fc.pre(places.some((place) => place.distanceTo(centre) > 0.01 * size));
      const { position, target, width, height } = placeFor(
        places.flatMap((place) => place.toArray()),
        centre,
        up,
        FIELD,
      );
      const look = position.clone().sub(target).normalize();
      const right = new Vector3(+(up === 'x'), +(up === 'y'), +(up === 'z')).cross(look).normalize();
      const above = look.clone().cross(right);
      // Tangents of the angles at which points are seen, in those of the half field.
      const seen = [right, above].map((axis) =>
        places.map((place) => {
          const from = place.clone().sub(position);
          return from.dot(axis) / -from.dot(look) / Math.tan((FIELD * Math.PI) / 360);
        }),
      );
      expect(Math.max(width, height)).toBe(1);
      const ends = seen.map((list) => [-Math.min(...list), Math.max(...list)]);
      for (const end of ends.flat()) expect(end).toBeLessThan(1 / MARGIN + 1e-3);
      for (const end of ends[width === 1 ? 0 : 1]) expect(end).toBeCloseTo(1 / MARGIN, 3);
    }),
    { seed: 3 },
  );
});

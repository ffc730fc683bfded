import fc from 'fast-check';
import { DirectionalLight, Mesh, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { boundsOf } from '../../src/mesh/bounds.ts';
import { Stage, type Up } from '../../studio/src/viewport/stage.ts';

/** The floor, and what lights it from where shadows are cast. */
function partsOf(stage: Stage): { floor: Mesh; light: DirectionalLight } {
  stage.scene.updateMatrixWorld(true);
  const found: { floor?: Mesh; light?: DirectionalLight } = {};
  stage.scene.traverse((object) => {
    if (object instanceof Mesh) found.floor = object;
    if (object instanceof DirectionalLight && object.castShadow) found.light = object;
  });
  return found as { floor: Mesh; light: DirectionalLight };
}

/** Where the shadow of a point is on the floor, whose sides are at ±1/2. */
function shadowOn(floor: Mesh, light: DirectionalLight, point: Vector3): Vector3 {
  const away = light.target.getWorldPosition(new Vector3()).sub(light.getWorldPosition(new Vector3())).add(point);
  const [from, to] = [point, away].map((place) => floor.worldToLocal(place.clone()));
  return from.clone().lerp(to, from.y / (from.y - to.y));
}

const coordinate = fc.double({ min: 0, max: 4, noNaN: true });
const points = fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 2, maxLength: 8 });

it('has a floor below shadow casters, and hardly any elsewhere', () => {
  const ups = fc.constantFrom<Up>('x', 'y', 'z');
  fc.assert(
    fc.property(points, ups, (places, up) => {
      const stage = new Stage();
      stage.fit({ floor: new Vector3(), radius: 2, up, points: new Float32Array(3) });
      const areaOf = ({ scale }: Mesh) => scale.x * scale.z;
      stage.roaming = true;
      const whole = areaOf(partsOf(stage).floor);
      stage.caster = boundsOf(places.flat());
      const { floor, light } = partsOf(stage);
      for (const place of places) {
        const { x, z } = shadowOn(floor, light, new Vector3(...place));
        expect(Math.max(Math.abs(x), Math.abs(z))).toBeLessThan(0.5);
      }
      expect(areaOf(floor)).toBeLessThan(0.2 * whole);
      stage.caster = undefined;
      expect(areaOf(partsOf(stage).floor)).toBeCloseTo(whole);
      stage.dispose();
    }),
    { seed: 1, numRuns: 50 },
  );
});

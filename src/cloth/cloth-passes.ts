/**
 * The inner loops of the simulation: as kernels, on arrays in their memory, or as the functions of strain.ts, air.ts and
 * bending.ts. Both give the same bits, so that it does not matter which a host runs.
 */
import { kernelsAvailable, loadKernels } from '../kernels/load.ts';
import { tabledCopies } from '../kernels/places.ts';
import { AIR, addAir, addViscosity } from './air.ts';
import { addBending, type Bending } from './bending.ts';
import type { ClothBody } from './body.ts';
import { limitStrain, strainShares } from './strain.ts';

export interface ClothPasses {
  body: ClothBody;
  /** 3N: velocity of the air at the vertices, m/s. */
  wind: Float64Array;
  /** Verlet: x + (x − previous) + kick·a·dt². Pinned vertices have no acceleration and never moved. */
  integrate(dt: number, kick: number): void;
  limitStrain(compression: number): void;
  addAir(dt: number): void;
  addBending(): void;
  addViscosity(viscosity: number, dt: number): void;
}

/** The loops for a body and its bending, on a copy of the body. */
export function clothPasses(body: ClothBody, bending: Bending, simd: boolean = kernelsAvailable(false)): ClothPasses {
  return (simd && kernelPasses(body, bending)) || plainPasses(body, bending);
}

function plainPasses(given: ClothBody, bending: Bending): ClothPasses {
  const body = { ...given, x: given.x.slice(), previous: given.previous.slice() };
  const wind = new Float64Array(body.x.length);
  const correction = new Float64Array(body.x.length);
  return {
    body,
    wind,
    integrate(dt, kick) {
      const { x, previous, acceleration } = body;
      const dt2 = kick * dt * dt;
      for (let c = 0; c < x.length; c++) {
        const now = x[c];
        x[c] = 2 * now - previous[c] + acceleration[c] * dt2;
        previous[c] = now;
      }
    },
    limitStrain: (compression) => limitStrain(body, compression, correction),
    addAir: (dt) => addAir(body, wind, dt),
    addBending: () => addBending(body, bending),
    addViscosity: (viscosity, dt) => addViscosity(body, viscosity, dt),
  };
}

/** Undefined where a host has no memory left for another module; many simulations at once can come to that. */
function kernelPasses(given: ClothBody, bending: Bending): ClothPasses | undefined {
  const { mass, springs, triangles } = given;
  const zeros = new Float64Array(given.x.length);
  const sizes = [mass.length, springs.a.length, triangles.length / 3, bending.stiffness.length];
  const { arrays, table, memory } = tabledCopies(
    sizes,
    {
      // The order of kernels/assembly/cloth-table.ts.
      x: given.x,
      previous: given.previous,
      acceleration: given.acceleration,
      correction: zeros,
      wind: zeros,
      mass,
      inverseMass: given.inverseMass,
      a: springs.a,
      b: springs.b,
      length: springs.length,
      share: springs.share,
      shareA: springs.shareA,
      shareB: springs.shareB,
      triangles,
      hingeVertices: bending.vertices,
      hingeWeights: bending.weights,
      hingeStiffness: bending.stiffness,
    },
    true,
  );
  if (!('buffer' in memory)) return undefined;
  const { x, previous, acceleration, inverseMass, wind } = arrays;
  const body: ClothBody = { ...given, x, previous, acceleration, mass: arrays.mass, inverseMass, springs: arrays };
  const kernels = loadKernels(memory);
  return {
    body,
    wind,
    integrate: (dt, kick) => kernels.clothIntegrate(table, kick * dt * dt),
    limitStrain(compression) {
      const { both, stretchOnly } = strainShares(compression);
      kernels.clothStrain(table, both, stretchOnly);
    },
    addAir: (dt) => kernels.clothAir(table, 1 / (3 * dt), AIR.density / 4, AIR.normalDrag, AIR.tangentDrag),
    // Bent at rest, hinges need their normals.
    addBending: () => (bending.flat ? kernels.clothBending(table) : addBending(body, bending)),
    addViscosity: (viscosity, dt) => kernels.clothViscosity(table, viscosity, dt),
  };
}

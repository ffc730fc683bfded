import { describe, expect, it } from 'vitest';
import { scatterMany } from '../../src/light/scatter-many.ts';
import { traceScattering } from '../../src/light/scattering.ts';
import type { LightSurface } from '../../src/light/surface-rays.ts';
import { Dipole, fresnelTransmittance, type Translucent } from '../../src/light/translucent.ts';
import { evaluateSh } from '../../src/math/spherical-harmonics.ts';
import { vertexNormals } from '../../src/mesh/normals.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { cube, grid, icosphere } from '../mesh/shapes.ts';
import { refusal } from '../refusal.ts';

const surfaceOf = (mesh: Mesh): LightSurface => ({ ...mesh, normals: vertexNormals(mesh), albedo: 0 });
const WAX: Translucent = { scattering: 2, absorption: 0.1, anisotropy: 0, refraction: 1.4 };

describe('fresnelTransmittance', () => {
  it('is 1 − ((n − 1)/(n + 1))² straight on, nothing along the surface, and all without refraction', () => {
    expect(fresnelTransmittance(1, 1.5)).toBeCloseTo(0.96, 12);
    expect(fresnelTransmittance(0, 1.5)).toBeCloseTo(0, 12);
    expect(fresnelTransmittance(0.3, 1)).toBeCloseTo(1, 12);
  });
});

describe('Dipole', () => {
  it('over discs is its integral, and over all the albedo of Jensen et al. 2001', () => {
    const dipole = new Dipole(WAX);
    for (const radius of [0.3, 2, 9]) {
      let sum = 0;
      const steps = 20_000;
      for (let k = 0; k < steps; k++) {
        const r = (radius * (k + 0.5)) / steps;
        sum += (2 * Math.PI * r * dipole.at(r) * radius) / steps;
      }
      expect(dipole.onDisc(radius)).toBeCloseTo(sum, 6);
    }
    const { scattering, absorption, refraction } = WAX;
    const albedo = scattering / (scattering + absorption);
    const within = -1.44 / refraction ** 2 + 0.71 / refraction + 0.668 + 0.0636 * refraction;
    const root = Math.sqrt(3 * (1 - albedo));
    const all = (albedo / 2) * (1 + Math.exp((-4 / 3) * ((1 + within) / (1 - within)) * root)) * Math.exp(-root);
    expect(dipole.onDisc(Infinity)).toBeCloseTo(all, 10);
    expect(dipole.entering).toBeGreaterThan(0.9);
    expect(dipole.entering).toBeLessThanOrEqual(1);
  });
});

describe('scatterMany', () => {
  /** Of a plane under even light: what comes back in its middle. */
  const middle = (cells: number, scattering: number): { got: number; expected: number } => {
    const surface = surfaceOf(grid(cells, cells));
    const dipole = new Dipole({ ...WAX, scattering, absorption: 0.1 * scattering });
    const n = surface.positions.length / 3;
    const out = scatterMany(surface, new Float32Array(n).fill(1), 1, dipole);
    return { got: out[(n - 1) / 2], expected: dipole.entering * dipole.onDisc(Infinity) };
  };

  // Vertices are 1 apart: mean free paths from twice that to a twentieth of it.
  it.each([0.5, 2, 20])('of a plane is the albedo of the material, scattering %d per edge', (scattering) => {
    const { got, expected } = middle(30, scattering);
    expect(Math.abs(got / expected - 1)).toBeLessThan(0.1);
  });

  it('takes far vertices together without harm', () => {
    const surface = surfaceOf(icosphere(3));
    const dipole = new Dipole({ ...WAX, scattering: 10 });
    const n = surface.positions.length / 3;
    const transfer = Float32Array.from({ length: n }, (_, i) => 1 + surface.normals[3 * i]);
    const out = scatterMany(surface, transfer, 1, dipole);
    // One by one: the sphere's vertices have nearly equal areas.
    for (const i of [0, 100, 500]) {
      let sum = 0;
      for (let j = 0; j < n; j++) {
        const apart = [0, 1, 2].map((c) => surface.positions[3 * i + c] - surface.positions[3 * j + c]);
        const area = (4 * Math.PI) / n;
        const weight = i === j ? dipole.onDisc(Math.sqrt(area / Math.PI)) : area * dipole.at(Math.hypot(...apart));
        sum += dipole.entering * weight * transfer[j];
      }
      expect(Math.abs(out[i] / sum - 1)).toBeLessThan(0.1);
    }
  });
});

describe('traceScattering', () => {
  it('once, in a thick block without refraction, is that of Chandrasekhar under even light', () => {
    // The middle of the top of a block that is many mean free paths deep and wide.
    const { positions, triangles } = cube();
    const size = 200;
    const block: number[] = Array.from(positions, (x) => size * (x - 0.5));
    const top = 8;
    block.push(0, 0, size / 2);
    const above = Array.from({ length: triangles.length / 3 }, (_, f) => [...triangles.subarray(3 * f, 3 * f + 3)]);
    const split = above.flatMap((face) => (face.every((i) => block[3 * i + 2] > 0) ? [] : [face]));
    const corners = [4, 5, 7, 6];
    for (let c = 0; c < 4; c++) split.push([corners[c], corners[(c + 1) % 4], top]);
    const normals = vertexNormals({ positions: Float32Array.from(block), triangles: Uint32Array.from(split.flat()) });
    const surface: LightSurface = {
      positions: Float32Array.from(block),
      triangles: Uint32Array.from(split.flat()),
      normals,
      albedo: 0,
    };
    expect(Array.from(normals.subarray(3 * top))).toEqual([0, 0, 1]);
    const material: Translucent = { scattering: 1.5, absorption: 0.5, anisotropy: 0, refraction: 1 };
    const { once } = traceScattering(surface, material, { views: 128, inner: 256, rays: 16, order: 1 });
    // Mean over the hemisphere of (a/2)(1 − μ ln((1 + μ)/μ)).
    let mean = 0;
    for (let k = 0; k < 1000; k++) {
      const cosine = (k + 0.5) / 1000;
      mean += (0.75 / 2) * (1 - cosine * Math.log((1 + cosine) / cosine)) * 1e-3;
    }
    // S₀₀ = ∫ y₀ · radiance / √4π over the hemisphere.
    expect(once[top] / (mean / 2)).toBeCloseTo(1, 1);
  });

  it('sends out less than comes in, and more where the light is', () => {
    const surface = surfaceOf(icosphere(2));
    const { once, many, inside } = traceScattering(surface, WAX, { rays: 64, order: 3 });
    const y = new Float64Array(9);
    for (let i = 0; i < 162; i++) {
      const [nx, ny, nz] = surface.normals.subarray(3 * i, 3 * i + 3);
      evaluateSh(3, nx, ny, nz, y);
      let out = many[9 * i];
      for (let a = 0; a < 9; a++) out += y[a] * once[81 * i + 9 * a];
      expect(out * Math.sqrt(4 * Math.PI)).toBeGreaterThan(0);
      expect(out * Math.sqrt(4 * Math.PI)).toBeLessThan(1);
      // Light from where the normal points.
      let front = 0;
      let back = 0;
      for (let c = 0; c < 9; c++) {
        front += many[9 * i + c] * y[c];
        back += many[9 * i + c] * y[c] * (c > 0 && c < 4 ? -1 : 1);
      }
      expect(front).toBeGreaterThan(back);
      expect(back).toBeGreaterThan(0);
    }
    expect(inside.every((x) => x === 0)).toBe(true);
  });

  it('gives the same bytes for a seed, and refuses materials that there are not', () => {
    const surface = surfaceOf(icosphere(0));
    const run = (seed: number) => traceScattering(surface, WAX, { order: 2, seed, rays: 16 }).once;
    expect(run(1)).toEqual(run(1));
    expect(run(1)).not.toEqual(run(2));
    for (const wrong of [{ scattering: 0 }, { absorption: -1 }, { anisotropy: 1 }, { refraction: 0.5 }]) {
      expect(() => traceScattering(surface, { ...WAX, ...wrong })).toThrow(refusal('bad-input'));
    }
  });
});

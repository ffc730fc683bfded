import { describe, expect, it } from 'vitest';
import { environmentSh } from '../../src/light/environment.ts';
import { glossVisibility, phongLobe, traceGloss } from '../../src/light/gloss.ts';
import type { LightSurface } from '../../src/light/surface-rays.ts';
import { traceTransfer } from '../../src/light/transfer.ts';
import { traceMatrices } from '../../src/light/transfer-matrices.ts';
import { cosineLobe, evaluateSh, hemisphereLobe } from '../../src/math/spherical-harmonics.ts';
import { vertexNormals } from '../../src/mesh/normals.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { flipped, icosphere, torus } from '../mesh/shapes.ts';
import { refusal } from '../refusal.ts';
import { mapOf } from './maps.ts';

const surfaceOf = (mesh: Mesh, albedo = 0.6): LightSurface => ({ ...mesh, normals: vertexNormals(mesh), albedo });
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, x, c) => sum + x * b[c], 0);

describe('phongLobe', () => {
  it('of exponent 1 are those of the cosine, and tend to 1', () => {
    const cosine = [1, 2 / 3, 1 / 4, 0, -1 / 24, 0];
    phongLobe(6, 1).factors.forEach((z, l) => {
      expect(z).toBeCloseTo(cosine[l], 12);
    });
    for (const z of phongLobe(6, 1e5).factors) expect(z).toBeGreaterThan(0.999);
    expect(phongLobe(1, 9).factors).toEqual(Float64Array.of(1));
  });

  it.each([2, 8, 32])('are the integrals of the lobe, exponent %i', (exponent) => {
    const y = new Float64Array(36);
    const sums = new Float64Array(6);
    const steps = 4000;
    for (let k = 0; k < steps; k++) {
      const z = (k + 0.5) / steps;
      evaluateSh(6, Math.sqrt(1 - z * z), 0, z, y);
      for (let l = 0; l < 6; l++) {
        const legendre = y[l * l + l] * Math.sqrt((4 * Math.PI) / (2 * l + 1));
        sums[l] += ((exponent + 1) * z ** exponent * legendre) / steps;
      }
    }
    phongLobe(6, exponent).factors.forEach((z, l) => {
      expect(z).toBeCloseTo(sums[l], 4);
    });
  });
});

describe('glossVisibility', () => {
  it.each([4, 8, 32, 128])('of an open point is the part of the lobe above the horizon, exponent %i', (exponent) => {
    const visibility = new Float64Array(50);
    hemisphereLobe(5, [0, 1, 0], visibility, 25);
    const lobe = phongLobe(5, exponent);
    for (let k = 0; k <= 20; k++) {
      const [up, along] = [Math.sin((k * Math.PI) / 40), Math.cos((k * Math.PI) / 40)];
      let above = 0;
      const [rows, columns] = [100, 60];
      for (let q = 0; q < rows * columns; q++) {
        const cosine = ((Math.floor(q / columns) + 0.5) / rows) ** (1 / (exponent + 1));
        const azimuth = (Math.PI * ((q % columns) + 0.5)) / columns;
        if (cosine * up + Math.sqrt(1 - cosine * cosine) * along * Math.cos(azimuth) > 0) above += 1 / (rows * columns);
      }
      const part = glossVisibility(Float32Array.from(visibility), 25, [0, 1, 0], [along, up, 0], lobe);
      expect(Math.abs(part - above)).toBeLessThan(0.03);
    }
  });

  it('is 0 where nothing is seen', () => {
    expect(glossVisibility(new Float32Array(25), 0, [0, 1, 0], [0.6, 0.8, 0], phongLobe(5, 9))).toBe(0);
  });
});

describe('traceGloss', () => {
  const sky = mapOf(64, (x, y, z) => [1 + y, 1 + x * z, 0.5 + 0.5 * x]);

  it('of a lone sphere, looking away from it, is the blurred map', () => {
    const surface = surfaceOf(icosphere(1));
    const vertices = [0, 5, 17];
    const directions = Float32Array.from(vertices.flatMap((i) => [...surface.normals.subarray(3 * i, 3 * i + 3)]));
    const { seen, open } = traceGloss(surface, sky, { vertices, directions }, phongLobe(5, 32), { rays: 256 });
    expect(seen).toEqual(open);
    // The blurred map by harmonics: the sky has nothing above band 2.
    const light = environmentSh(sky, 5);
    const { factors } = phongLobe(5, 32);
    const y = new Float64Array(25);
    for (let m = 0; m < vertices.length; m++) {
      evaluateSh(5, directions[3 * m], directions[3 * m + 1], directions[3 * m + 2], y);
      const weights = y.map((value, c) => value * factors[Math.floor(Math.sqrt(c))]);
      for (let c = 0; c < 3; c++) {
        expect(open[3 * m + c]).toBeCloseTo(dot(weights, light.subarray(25 * c, 25 * c + 25)), 1.7);
      }
    }
  });

  it('is nearer to visibility times the map than to the map alone', () => {
    const surface = surfaceOf(torus(20, 12));
    const { visibility } = traceTransfer(surface, { rays: 512, visibility: true, bounces: 0 });
    const vertices = [...surface.positions.keys()].filter((i) => i < surface.positions.length / 3 && i % 7 === 0);
    const directions = Float32Array.from(
      vertices.flatMap((i) => {
        const [x, y, z] = surface.normals.subarray(3 * i, 3 * i + 3);
        const tilted = [x + 0.5 * y, y - 0.5 * x, z];
        return tilted.map((a) => a / Math.hypot(...tilted));
      }),
    );
    const lobe = phongLobe(5, 8);
    const { seen, open } = traceGloss(surface, sky, { vertices, directions }, lobe);
    let [withIt, without, size] = [0, 0, 0];
    vertices.forEach((i, m) => {
      const normal = surface.normals.subarray(3 * i, 3 * i + 3);
      const part = glossVisibility(visibility!, 25 * i, normal, directions.subarray(3 * m, 3 * m + 3), lobe);
      for (let c = 3 * m; c < 3 * m + 3; c++) {
        withIt += (part * open[c] - seen[c]) ** 2;
        without += (open[c] - seen[c]) ** 2;
        size += seen[c] ** 2;
      }
    });
    expect(Math.sqrt(without / size)).toBeGreaterThan(0.1);
    expect(Math.sqrt(withIt / without)).toBeLessThan(0.4);
  });

  it('is dark inside, and refuses an exponent that is none', () => {
    const surface = surfaceOf(flipped(icosphere(1)));
    const at = { vertices: [3], directions: surface.normals.slice(9, 12) };
    expect(Array.from(traceGloss(surface, sky, at, phongLobe(5, 4), { rays: 64 }).seen)).toEqual([0, 0, 0]);
    expect(() => phongLobe(5, -1)).toThrow(refusal('bad-option', { option: 'exponent' }));
  });
});

describe('traceMatrices', () => {
  it('of a lone sphere keep light above the horizon: their first row is its visibility', () => {
    const surface = surfaceOf(icosphere(0));
    const { matrices, inside } = traceMatrices(surface, { rays: 1024, order: 4, bounces: 0 });
    const lobe = new Float64Array(16);
    for (let i = 0; i < 12; i++) {
      hemisphereLobe(4, surface.normals, lobe, 0, 3 * i);
      for (let c = 0; c < 16; c++) {
        // y₀ is 1/√4π everywhere.
        expect(matrices[256 * i + c] * Math.sqrt(4 * Math.PI)).toBeCloseTo(lobe[c], 1.5);
        expect(matrices[256 * i + 16 * c]).toBeCloseTo(matrices[256 * i + c], 5);
      }
    }
    expect(inside.every((x) => x === 0)).toBe(true);
  });

  it('hold diffuse transfer: the cosine over π of what arrives', () => {
    const surface = surfaceOf(torus(12, 8), 0.5);
    const options = { rays: 256, order: 5, bounces: 2, seed: 4 };
    const { matrices } = traceMatrices(surface, options);
    const { transfer } = traceTransfer(surface, options);
    const lobe = new Float64Array(25);
    let [difference, size] = [0, 0];
    for (let i = 0; i < 96; i++) {
      cosineLobe(5, surface.normals, lobe, 0, 3 * i);
      for (let c = 0; c < 25; c++) {
        let sum = 0;
        for (let a = 0; a < 25; a++) sum += lobe[a] * matrices[625 * i + 25 * a + c];
        difference += (sum - transfer[25 * i + c]) ** 2;
        size += transfer[25 * i + c] ** 2;
      }
    }
    // The lobe has bands beyond the fifth.
    expect(Math.sqrt(difference / size)).toBeLessThan(0.04);
  });
});

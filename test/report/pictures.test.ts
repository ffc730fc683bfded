import { crc32, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestView, cameraFor, threeQuarterViews } from '../../src/report/camera.ts';
import { cssColour, heat, oklch, regionColours } from '../../src/report/colors.ts';
import { encodePng, type Picture } from '../../src/report/png.ts';
import { rasterize, type Surface, visibilityOf } from '../../src/report/rasterize.ts';

/** Reads a PNG back, by the standard's own words; slow and obvious. */
function decodePng(bytes: Uint8Array): Picture {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  expect([...bytes.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
  const chunks = new Map<string, Uint8Array>();
  for (let at = 8; at < bytes.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    expect(view.getUint32(at + 8 + length)).toBe(crc32(bytes.subarray(at + 4, at + 8 + length)));
    chunks.set(type, bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const header = chunks.get('IHDR')!;
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  expect([...header.subarray(8)]).toEqual([8, header[9], 0, 0, 0]);
  const channels = header[9] === 4 ? 2 : 4;
  const rows = inflateSync(chunks.get('IDAT')!);
  const pixels = new Uint8Array(width * height * channels);
  const get = (x: number, y: number): number => (x < 0 || y < 0 ? 0 : pixels[y * width * channels + x]);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (width * channels + 1)];
    for (let x = 0; x < width * channels; x++) {
      const [a, b, c] = [get(x - channels, y), get(x, y - 1), get(x - channels, y - 1)];
      const paeth = [a, b, c].reduce((best, v) => (Math.abs(a + b - c - v) < Math.abs(a + b - c - best) ? v : best));
      const expected = [0, a, b, Math.floor((a + b) / 2), paeth][filter];
      pixels[y * width * channels + x] = rows[y * (width * channels + 1) + 1 + x] + expected;
    }
  }
  return { width, height, channels, pixels };
}

describe('PNG', () => {
  it('comes back as it was', async () => {
    const pictures = fc
      .record({
        width: fc.integer({ min: 1, max: 9 }),
        height: fc.integer({ min: 1, max: 9 }),
        channels: fc.constantFrom<2 | 4>(2, 4),
        seed: fc.nat(),
      })
      .map(({ seed, ...size }) => ({
        ...size,
        // Smooth, so that every filter is of use.
        pixels: Uint8Array.from(
          { length: size.width * size.height * size.channels },
          (_, c) => (c * c + seed * c) % 251,
        ),
      }));
    await fc.assert(
      fc.asyncProperty(pictures, async (picture) => {
        expect(decodePng(await encodePng(picture))).toEqual(picture);
      }),
      { numRuns: 50 },
    );
  });
});

describe('colours', () => {
  const luminance = ([r, g, b]: readonly number[]): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

  it('of errors become lighter and lighter, and are all on screen', () => {
    for (let step = 1; step <= 64; step++) {
      const [before, now] = [heat((step - 1) / 64), heat(step / 64)];
      expect(luminance(now)).toBeGreaterThan(luminance(before));
      for (const x of now) expect(x).toBeGreaterThanOrEqual(0);
      for (const x of now) expect(x).toBeLessThanOrEqual(1);
    }
    expect(heat(7)).toEqual(heat(1));
  });

  it('know black, white and how to reduce what no screen shows', () => {
    expect(cssColour(oklch(0, 0, 0))).toBe('#000000');
    expect(cssColour(oklch(1, 0, 0))).toBe('#ffffff');
    expect(cssColour(oklch(0.62796, 0.25768, 29.234))).toBe('#ff0000');
    for (const x of oklch(0.7, 0.9, 140)) expect(x).toBeGreaterThanOrEqual(0);
  });

  it('of regions differ from those beside them, however many there are', () => {
    const ring = Array.from({ length: 60 }, (_, j) => [(j + 59) % 60, (j + 1) % 60, (j + 7) % 60, (j + 53) % 60]);
    const colours = regionColours(ring).map(cssColour);
    ring.forEach((around, j) => {
      for (const other of around) expect(colours[j]).not.toBe(colours[other]);
    });
  });
});

/** A square in the xy-plane that faces +z. */
const square = (size: number, z: number, colour?: readonly number[]): Surface => ({
  positions: [-size, -size, z, size, -size, z, size, size, z, -size, size, z],
  triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
  normals: [0, 0, 1],
  normalOf: new Uint32Array(6),
  colours: colour && Float32Array.from([...colour, ...colour, ...colour, ...colour]),
});
const FRONT = { right: [1, 0, 0], up: [0, 1, 0], towards: [0, 0, 1] } as const;

function joined(a: Surface, b: Surface): Surface {
  return {
    positions: [...Array.from(a.positions), ...Array.from(b.positions)],
    triangles: Uint32Array.from([...a.triangles, ...b.triangles.map((i) => i + a.positions.length / 3)]),
    normals: [...Array.from(a.normals), ...Array.from(b.normals)],
    normalOf: Uint32Array.from([...a.normalOf, ...b.normalOf.map((i) => i + a.normals.length / 3)]),
    colours: a.colours && b.colours && Float32Array.from([...a.colours, ...b.colours]),
  };
}

describe('the camera', () => {
  it('has views that are turned, not stretched', () => {
    for (const up of ['x', 'y', 'z'] as const) {
      for (const { right, up: above, towards } of threeQuarterViews(up)) {
        const rows = [right, above, towards];
        rows.forEach((a, r) => {
          rows.forEach((b, c) => {
            expect(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]).toBeCloseTo(r === c ? 1 : 0, 12);
          });
        });
        expect(above[{ x: 0, y: 1, z: 2 }[up]]).toBeGreaterThan(0.5);
      }
    }
  });

  it('sees everything, and as large as can be', () => {
    const points = fc.array(
      fc.double({ min: -50, max: 50, noNaN: true }).map((x) => Math.round(x * 1e6) / 1e6),
      { minLength: 6, maxLength: 60 },
    );
    fc.assert(
      fc.property(points, fc.nat({ max: 15 }), (values, v) => {
        const positions = values.slice(0, values.length - (values.length % 3));
        const camera = cameraFor(threeQuarterViews()[v], [positions], 200, 100);
        const q = new Float64Array(3);
        for (let i = 0; 3 * i < positions.length; i++) {
          camera.project(q, positions, i);
          expect(q[0]).toBeGreaterThan(0);
          expect(q[0]).toBeLessThan(200);
          expect(q[1]).toBeGreaterThan(0);
          expect(q[1]).toBeLessThan(100);
        }
      }),
    );
  });

  it('looks at the broad side of a sheet', () => {
    const views = threeQuarterViews('y');
    const standing = square(1, 0);
    expect(bestView(views, standing.positions, standing.triangles).towards[2]).toBeGreaterThan(0.7);
    const lying = Float64Array.from(
      [0, 1, 2, 3].flatMap((i) => [0, 2, 1].map((c, k) => (k === 2 ? -1 : 1) * standing.positions[3 * i + c])),
    );
    expect(bestView(views, lying, standing.triangles).towards[1]).toBeGreaterThan(0.7);
  });
});

describe('the renderer', () => {
  const at = ({ width, channels, pixels }: Picture, x: number, y: number): number[] => [
    ...pixels.subarray(channels * (y * width + x), channels * (y * width + x + 1)),
  ];

  it('covers what the surface covers', () => {
    const surface = square(1, 0);
    const camera = cameraFor(FRONT, [surface.positions], 100, 200);
    const picture = rasterize(surface, camera);
    let covered = 0;
    for (let p = 1; p < picture.pixels.length; p += 2) covered += picture.pixels[p] / 255;
    expect(covered).toBeCloseTo(92 * 92, -1.5);
    expect(at(picture, 50, 100)).toEqual([expect.any(Number), 255]);
    expect(at(picture, 50, 20)).toEqual([0, 0]);
  });

  it('shows what is nearer, in whatever order it is drawn, and knows what is hidden', () => {
    const [far, near] = [square(1, -0.5, [0, 0, 1]), square(0.5, 0.5, [1, 0, 0])];
    for (const [first, second] of [
      [far, near],
      [near, far],
    ]) {
      const both = joined(first, second);
      const camera = cameraFor(FRONT, [both.positions], 80, 80);
      const [red, , blue] = at(rasterize(both, camera), 40, 40);
      expect(red).toBeGreaterThan(100);
      expect(blue).toBe(0);
      const visible = visibilityOf(joined(both, { ...square(0.1, 0), colours: undefined }), camera);
      expect([8, 9, 10, 11].map(visible)).toEqual([false, false, false, false]);
      expect(visible(first === near ? 0 : 4)).toBe(true);
    }
  });

  it('lights both sides of a sheet, its inside a little less', () => {
    const surface = square(1, 0);
    const turned = { ...surface, triangles: Uint32Array.of(0, 2, 1, 0, 3, 2), normals: [0, 0, -1] };
    const camera = cameraFor(FRONT, [surface.positions], 40, 40);
    const [outside, inside] = [surface, turned].map((s) => at(rasterize(s, camera), 20, 20)[0]);
    expect(inside).toBeLessThan(outside);
    expect(inside).toBeGreaterThan(0.8 * outside);
  });

  it('draws nothing of triangles without area, and no picture without points fails', () => {
    const line = { ...square(1, 0), triangles: Uint32Array.of(0, 0, 1, 0, 1, 1) };
    const camera = cameraFor(FRONT, [line.positions], 20, 20);
    expect(rasterize(line, camera).pixels.every((x) => x === 0)).toBe(true);
    expect(() =>
      rasterize({ ...line, positions: [], triangles: new Uint32Array(0) }, cameraFor(FRONT, [[]], 8, 8)),
    ).not.toThrow();
  });
});

import type { Camera } from './camera.ts';
import { type Colour, srgbByte } from './colors.ts';
import type { Picture } from './png.ts';

/** A small software renderer: z-buffer, smooth shading by interpolated normals, several samples per pixel. */

export interface Surface {
  /** 3N. */
  positions: ArrayLike<number>;
  /** 3F vertices. */
  triangles: Uint32Array;
  /** 3W unit normals. */
  normals: ArrayLike<number>;
  /** 3F: which of the W normals a corner has. */
  normalOf: Uint32Array;
  /** 3N linear RGB; without it the surface is of grey clay. */
  colours?: Float32Array;
  /** Whether colours blend between vertices, or every point has the colour of its nearest vertex. */
  blendColours?: boolean;
  /** Whether colours are what the eye sees, and no lamp shines on them. */
  isLit?: boolean;
}

/** What one sample of the picture sees; as many as there are subpixels. */
interface Samples {
  width: number;
  height: number;
  /** −Infinity where there is nothing. */
  nearness: Float32Array;
  /** 3 per sample, linear light. */
  light: Float32Array;
}

/** Samples per pixel and axis. */
const FINENESS = 2;
const CLAY: Colour = [0.74, 0.74, 0.74];
/** The inside of a sheet is a little darker than its outside. */
const INSIDE = 0.78;

/** Lamps, as directions in the picture: right, up, towards the eye. */
const KEY = unit(-0.42, 0.62, 0.66);
const FILL = unit(0.86, 0.12, 0.5);

function unit(x: number, y: number, z: number): readonly [number, number, number] {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

/** Light that a normal (right, up, towards) sends to the eye, 0…1. */
function shade(x: number, y: number, z: number): number {
  const key = Math.max(0, KEY[0] * x + KEY[1] * y + KEY[2] * z);
  const fill = Math.max(0, FILL[0] * x + FILL[1] * y + FILL[2] * z);
  return 0.16 + 0.08 * y + 0.62 * key + 0.2 * fill;
}

/** Colours must stay what the legend says: their shading is softer. */
const softened = (light: number): number => 0.42 + 0.58 * light;

/** Draws a surface on a transparent background. The picture of clay is grey. */
export function rasterize(surface: Surface, camera: Camera): Picture {
  return resolve(sample(surface, camera, FINENESS), surface.colours === undefined);
}

/** Whether vertex i is seen, and not hidden behind other parts of the surface. */
export function visibilityOf(surface: Surface, camera: Camera): (i: number) => boolean {
  const { width, height, nearness } = sample(surface, camera, 1);
  const q = new Float64Array(3);
  return (i) => {
    camera.project(q, surface.positions, i);
    const [x, y] = [Math.floor(q[0]), Math.floor(q[1])];
    if (x < 0 || y < 0 || x >= width || y >= height) return false;
    return q[2] >= nearness[y * width + x] - 2e-3;
  };
}

function sample(surface: Surface, camera: Camera, fineness: number): Samples {
  const { triangles, normals, normalOf, colours } = surface;
  const { right, up, towards } = camera.view;
  const width = camera.width * fineness;
  const height = camera.height * fineness;
  const nearness = new Float32Array(width * height).fill(-Infinity);
  const light = new Float32Array(3 * width * height);
  const projected = projectAll(surface.positions, camera, fineness);

  // Normals of the three corners in the picture's axes.
  const n = new Float64Array(9);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ax, ay, az] = [projected[a], projected[a + 1], projected[a + 2]];
    const [bx, by, bz] = [projected[b], projected[b + 1], projected[b + 2]];
    const [cx, cy, cz] = [projected[c], projected[c + 1], projected[c + 2]];
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (area === 0) continue;
    // Counter-clockwise is outside, and y points down. A face that shows its inside is lit there.
    const outside = area < 0;
    const facing = outside ? 1 : -1;
    for (let corner = 0; corner < 3; corner++) {
      const at = 3 * normalOf[t + corner];
      const [x, y, z] = [normals[at], normals[at + 1], normals[at + 2]];
      n[3 * corner] = facing * (x * right[0] + y * right[1] + z * right[2]);
      n[3 * corner + 1] = facing * (x * up[0] + y * up[1] + z * up[2]);
      n[3 * corner + 2] = facing * (x * towards[0] + y * towards[1] + z * towards[2]);
    }
    const xFirst = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
    const xLast = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
    const yFirst = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
    const yLast = Math.min(height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
    for (let py = yFirst; py <= yLast; py++) {
      for (let px = xFirst; px <= xLast; px++) {
        // Barycentric coordinates of the sample, in the middle of its cell.
        const x = px + 0.5;
        const y = py + 0.5;
        const wa = ((bx - x) * (cy - y) - (by - y) * (cx - x)) / area;
        const wb = ((cx - x) * (ay - y) - (cy - y) * (ax - x)) / area;
        const wc = 1 - wa - wb;
        if (wa < 0 || wb < 0 || wc < 0) continue;
        const near = wa * az + wb * bz + wc * cz;
        const at = py * width + px;
        if (near <= nearness[at]) continue;
        nearness[at] = near;

        const nx = wa * n[0] + wb * n[3] + wc * n[6];
        const ny = wa * n[1] + wb * n[4] + wc * n[7];
        const nz = wa * n[2] + wb * n[5] + wc * n[8];
        const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
        const shaded = (outside ? 1 : INSIDE) * shade(nx / length, ny / length, nz / length);
        for (let channel = 0; channel < 3; channel++) {
          let albedo: number;
          if (!colours) albedo = CLAY[channel];
          else if (surface.blendColours)
            albedo = wa * colours[a + channel] + wb * colours[b + channel] + wc * colours[c + channel];
          else albedo = colours[(wa >= wb && wa >= wc ? a : wb >= wc ? b : c) + channel];
          light[3 * at + channel] = surface.isLit ? albedo : albedo * (colours ? softened(shaded) : shaded);
        }
      }
    }
  }
  return { width, height, nearness, light };
}

/** 3N: pixels and nearness. */
function projectAll(positions: ArrayLike<number>, camera: Camera, fineness: number): Float64Array {
  const out = new Float64Array(positions.length);
  const q = new Float64Array(3);
  for (let i = 0; 3 * i < positions.length; i++) {
    camera.project(q, positions, i);
    out[3 * i] = fineness * q[0];
    out[3 * i + 1] = fineness * q[1];
    out[3 * i + 2] = q[2];
  }
  return out;
}

/** Linear light in steps of 1/LEVELS → a byte of sRGB: fine enough for its steepest part, in the dark. */
const LEVELS = 4095;
const SRGB = Uint8Array.from({ length: LEVELS + 1 }, (_, level) => srgbByte(level / LEVELS));

/** The mean light of the samples of each pixel; its opacity is the share of them that see something. */
function resolve({ width, height, nearness, light }: Samples, grey: boolean): Picture {
  const channels = grey ? 2 : 4;
  const picture: Picture = {
    width: width / FINENESS,
    height: height / FINENESS,
    channels,
    pixels: new Uint8Array((width / FINENESS) * (height / FINENESS) * channels),
  };
  const total = new Float64Array(3);
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      let seen = 0;
      total.fill(0);
      for (let s = 0; s < FINENESS * FINENESS; s++) {
        const at = (FINENESS * y + Math.floor(s / FINENESS)) * width + FINENESS * x + (s % FINENESS);
        if (nearness[at] === -Infinity) continue;
        seen++;
        for (let c = 0; c < 3; c++) total[c] += light[3 * at + c];
      }
      if (seen === 0) continue;
      const at = channels * (y * picture.width + x);
      for (let c = 0; c < channels - 1; c++) {
        picture.pixels[at + c] = SRGB[Math.round(LEVELS * Math.min(1, total[c] / seen))];
      }
      picture.pixels[at + channels - 1] = Math.round((255 * seen) / FINENESS ** 2);
    }
  }
  return picture;
}

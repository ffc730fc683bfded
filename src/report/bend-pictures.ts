import { type BendField, sampleField } from '../rig/mix/bend-fields.ts';
import { bendPoses, type MixExperiment } from '../rig/mix/experiment.ts';
import { type PosePair, placePoints, posePairs } from '../rig/mix/pose-pairs.ts';
import { bendingRectangle, RECTANGLE, type RectangleRig } from '../rig/mix/rectangle.ts';
import { escapeText } from './charts.ts';
import { heat, srgbByte } from './colors.ts';
import { svgOf } from './fit-pictures.ts';

/** Drawings of the bending rectangle, as SVG that stands alone: a grid of lines, and the triangles that are turned over. */

/** Vertices of the drawings, and how many columns and rows lie between two lines. */
const GRID = { columns: 121, rows: 25 };
const LINES = { columns: 4, rows: 3 };
/** Pixels per unit of the rectangle, and around the drawing. */
const SCALE = 40;
const MARGIN = 8;

export interface BendPicture {
  rig: RectangleRig;
  field: BendField;
  /** Radians. */
  angle: number;
  svg: string;
}

/** A rectangle rigged in one way, bent by one angle, under several fields; all drawings have the same size. */
export async function bendPictures(
  { settings }: Pick<MixExperiment, 'settings'>,
  rig: RectangleRig,
  angle: number,
  fields: readonly BendField[],
): Promise<BendPicture[]> {
  // From 0 in small steps, so that the way of the rotation is known.
  const angles = [0, angle / 2, angle];
  const model = bendingRectangle({ rig, ...GRID, fallOff: settings.fallOff, angles });
  const pair = (await posePairs(model, bendPoses(model)))[2];
  const shapes = fields.map((field) => shapeOf(pair, sampleField(field, model.mesh.positions)));
  const box = boxOf(shapes);
  return fields.map((field, q) => {
    const degrees = Math.round((180 * angle) / Math.PI);
    const svg = drawing(shapes[q], model.mesh.triangles, box, `${field.name}, ${rig}, bent by ${degrees}°`);
    return { rig, field, angle, svg };
  });
}

const shapeOf = (pair: PosePair, mix: Float64Array): Float64Array =>
  placePoints(new Float64Array(pair.linear.length), pair, mix);

interface Box {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

function boxOf(shapes: readonly Float64Array[]): Box {
  const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  for (const points of shapes) {
    for (let c = 0; c < points.length; c += 3) {
      box.left = Math.min(box.left, points[c]);
      box.right = Math.max(box.right, points[c]);
      box.bottom = Math.min(box.bottom, points[c + 1]);
      box.top = Math.max(box.top, points[c + 1]);
    }
  }
  return box;
}

function drawing(points: Float64Array, triangles: Uint32Array, box: Box, label: string): string {
  const width = Math.ceil(SCALE * (box.right - box.left) + 2 * MARGIN);
  const height = Math.ceil(SCALE * (box.top - box.bottom) + 2 * MARGIN);
  const place = (i: number): string => {
    const x = MARGIN + SCALE * (points[3 * i] - box.left);
    const y = MARGIN + SCALE * (box.top - points[3 * i + 1]);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  const { columns, rows } = GRID;
  const column = (c: number): number[] => Array.from({ length: rows }, (_, r) => c * rows + r);
  const row = (r: number): number[] => Array.from({ length: columns }, (_, c) => c * rows + r);
  const path = (vertices: readonly number[], end = ''): string => `M${vertices.map(place).join('L')}${end}`;
  const outline = [...row(0), ...column(columns - 1), ...row(rows - 1).reverse(), ...column(0).reverse()];
  const lines = [
    ...every(columns, LINES.columns).map((c) => path(column(c))),
    ...every(rows, LINES.rows).map((r) => path(row(r))),
  ];
  const over = turnedOver(points, triangles).map((corners) => path(corners, 'Z'));
  return (
    `<svg class="picture" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(label)}">` +
    `<path d="${path(outline, 'Z')}" fill="#7f9fc4" fill-opacity="0.35" stroke="none"/>` +
    `<path d="${lines.join('')}" fill="none" stroke="#7d8697" stroke-width="0.7"/>` +
    `<path d="${over.join('')}" fill="#d9480f" fill-opacity="0.75"/>` +
    `<path d="${path(outline, 'Z')}" fill="none" stroke="#2563a8" stroke-width="1.6"/></svg>`
  );
}

/** 0, step, 2·step … below count. */
const every = (count: number, step: number): number[] =>
  Array.from({ length: Math.ceil(count / step) }, (_, q) => q * step);

function turnedOver(p: Float64Array, triangles: Uint32Array): number[][] {
  const out: number[][] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const cross = (i: number, j: number): number =>
      (p[3 * i] - p[3 * a]) * (p[3 * j + 1] - p[3 * a + 1]) - (p[3 * i + 1] - p[3 * a + 1]) * (p[3 * j] - p[3 * a]);
    if (cross(b, c) < 0) out.push([a, b, c]);
  }
  return out;
}

/** Pixels of the picture of a field, per unit of the rectangle. */
const FIELD_SCALE = 40;

/** The field on the rectangle at rest, in colours from 0 to 1. */
export async function fieldPicture(field: BendField, label: string): Promise<string> {
  const [width, height] = [FIELD_SCALE * RECTANGLE.width, FIELD_SCALE * RECTANGLE.height];
  const pixels = new Uint8Array(4 * width * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const y = RECTANGLE.height / 2 - (row + 0.5) / FIELD_SCALE;
      const colour = heat(field.at((column + 0.5) / FIELD_SCALE, y)).map(srgbByte);
      pixels.set([...colour, 255], 4 * (row * width + column));
    }
  }
  return svgOf({ width, height, channels: 4, pixels }, label);
}

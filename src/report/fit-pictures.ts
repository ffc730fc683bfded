import { fittedSequence } from '../fit/clips.ts';
import type { FitResult } from '../fit/fit.ts';
import { invert34 } from '../math/matrix34.ts';
import { quantile } from '../math/statistics.ts';
import { smoothingGroups, vertexNormals } from '../mesh/normals.ts';
import { type Mesh, vertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import { checkpoint } from '../model/run.ts';
import { boneCount, MATRIX_STRIDE } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { frameText } from './asset-text.ts';
import { bestView, type Camera, cameraFor, threeQuarterViews, type View } from './camera.ts';
import { escapeText } from './charts.ts';
import { type Colour, cssColour, heat, heatInto, regionColours } from './colors.ts';
import { count, digits, plural } from './format.ts';
import { type Picture, pngDataUrl } from './png.ts';
import { rasterize, type Surface, visibilityOf } from './rasterize.ts';

/** The pictures of a fit, each as inline SVG: a rendering with marks over it. */
export interface FitPictures {
  worst: PosePictures;
  /** The frame of median error; absent when there is no other than the worst. */
  typical?: PosePictures;
  /** Root mean square errors over time, on the rest pose. */
  errors: string;
  /** Whom each part of the surface follows most, with the joints. */
  regions: string;
  /** Error that has the last colour of the scale, in % of the diagonal; larger ones have it too. */
  scaleTop: number;
}

export interface PosePictures {
  /** `frame 12`. */
  frame: string;
  original: string;
  fitted: string;
  /** The distance of each point from its original. */
  errors: string;
}

const SMALL = { width: 528, height: 396 };
const LARGE = { width: 640, height: 480 };
/** Visibility of a vertex is looked up in pictures of this size. */
const GLANCE = { width: 176, height: 132 };

/** Share of the worst frame's vertices that the scale of colours covers; the few beyond share its last colour. */
const SCALE_COVERS = 0.99;

export async function fitPictures(result: FitResult, run: RunOptions = {}): Promise<FitPictures> {
  const { model, errors } = result;
  const typicalFrame = medianFrame(errors.perFrame.rmsePercent ?? new Float64Array(1));
  const worstFrame = errors.maxErrorFrame ?? 0;
  const poses = typicalFrame === worstFrame ? 1 : 2;
  let drawn = 0;
  const pause = () => checkpoint(run, 'fitPage', drawn, 3 * poses + 2, 'drawing the report');
  /** Before each picture. */
  const step = async () => {
    await pause();
    drawn++;
  };
  await pause();
  const worst = await poseAt(result, worstFrame);
  const scaleTop = roundUp(quantile(worst.errors, SCALE_COVERS) || 1e-3);
  const views = threeQuarterViews(model.mesh.space?.up);

  const worstVertex = errors.maxErrorVertex ?? 0;
  const seen = await viewOf(model.mesh, worst, views, worstVertex, pause);
  const worstPictures = await posePictures(model.mesh, worst, seen, scaleTop, step, worstVertex);
  const typicalPictures =
    poses === 1 ? undefined : await posePictures(model.mesh, await poseAt(result, typicalFrame), seen, scaleTop, step);

  await step();

  const rest = model.mesh.positions;
  const camera = cameraFor(bestView(views, rest, model.mesh.triangles), [rest], LARGE.width, LARGE.height);
  const perVertex = errors.perVertex?.rmsePercent ?? new Float64Array(vertexCount(model.mesh));
  const errorPicture = rasterize(surfaceOf(model.mesh, rest, heatColours(perVertex, scaleTop), true), camera);
  const errorSvg = await svgOf(errorPicture, 'Root mean square error over time, on the rest pose');
  await step();
  return {
    worst: worstPictures,
    typical: typicalPictures,
    errors: errorSvg,
    regions: await regionsPicture(model, camera),
    scaleTop,
  };
}

/** The colours of errors from 0 to `top` %, as a strip to print beside the pictures. */
export const heatLegend = (top: number): string =>
  colourLegend('0', `≥ ${digits(top)} % of the diagonal`, 'colours of errors');

/** The scale of colours between what its ends mean. */
export function colourLegend(low: string, high: string, label: string): string {
  const cells = 48;
  const strip = Array.from(
    { length: cells },
    (_, c) => `<rect x="${c}" width="1" height="1" fill="${cssColour(heat(c / (cells - 1)))}"/>`,
  );
  return (
    `<div class="legend"><span>${escapeText(low)}</span><svg viewBox="0 0 ${cells} 1" preserveAspectRatio="none" shape-rendering="crispEdges" role="img" ` +
    `aria-label="${escapeText(label)}">${strip.join('')}</svg><span>${escapeText(high)}</span></div>`
  );
}

interface Pose {
  /** As it is called. */
  frame: string;
  original: Float32Array;
  fitted: Float32Array;
  /** N: distances, in % of the diagonal. */
  errors: Float64Array;
}

async function poseAt({ model, fitted, errors: { diagonal } }: FitResult, frame: number): Promise<Pose> {
  const approximation = fittedSequence(model, fitted);
  const original = await fitted.sequence.readFrame(frame);
  const posed = await approximation.readFrame(frame);
  await approximation.close?.();
  const errors = new Float64Array(original.length / 3);
  for (let i = 0; i < errors.length; i++) {
    const [x, y, z] = [0, 1, 2].map((c) => original[3 * i + c] - posed[3 * i + c]);
    errors[i] = (100 * Math.hypot(x, y, z)) / diagonal;
  }
  return { frame: frameText(fitted, frame), original, fitted: posed, errors };
}

/** A view, and whether it shows the vertex that it was to show. */
interface Seen {
  view: View;
  shows: boolean;
}

/** The best view of a pose of those that show vertex i; of all, where none does. */
async function viewOf(
  mesh: Mesh,
  { original, fitted }: Pose,
  views: readonly View[],
  i: number,
  pause: () => Promise<void>,
): Promise<Seen> {
  const surface = surfaceOf(mesh, fitted);
  const showing: View[] = [];
  for (const view of views) {
    await pause();
    const camera = cameraFor(view, [fitted], GLANCE.width, GLANCE.height);
    if (visibilityOf(surface, camera)(i)) showing.push(view);
  }
  const shows = showing.length > 0;
  return { view: bestView(shows ? showing : views, original, mesh.triangles), shows };
}

/** Three pictures from one view, the vertex `marked` ringed. */
async function posePictures(
  mesh: Mesh,
  { frame, original, fitted, errors }: Pose,
  { view, shows }: Seen,
  scaleTop: number,
  step: () => Promise<void>,
  marked?: number,
): Promise<PosePictures> {
  const camera = cameraFor(view, [original, fitted], SMALL.width, SMALL.height);
  const coloured = surfaceOf(mesh, fitted, heatColours(errors, scaleTop), true);
  const ring = marked === undefined ? '' : markOf(camera, fitted, marked, `${digits(errors[marked])} %`, shows);
  const draw = async (surface: Surface, label: string, over?: string): Promise<string> => {
    await step();
    return svgOf(rasterize(surface, camera), `${label}, ${frame}`, over);
  };
  return {
    frame,
    original: await draw(surfaceOf(mesh, original), 'Original'),
    fitted: await draw(surfaceOf(mesh, fitted), 'Fitted'),
    errors: await draw(coloured, 'Errors', ring),
  };
}

/** What the rasterizer draws of a mesh in a pose. */
export function surfaceOf(mesh: Mesh, positions: Float32Array, colours?: Float32Array, blendColours = false): Surface {
  return {
    positions,
    triangles: mesh.triangles,
    normals: vertexNormals(mesh, positions, 'angle', smoothingGroups(mesh)),
    normalOf: mesh.seams?.triangles ?? mesh.triangles,
    colours,
    blendColours,
  };
}

/** 3N. */
export function heatColours(errors: Float64Array, top: number): Float32Array {
  const out = new Float32Array(3 * errors.length);
  errors.forEach((error, i) => {
    heatInto(out, 3 * i, error / top);
  });
  return out;
}

function perVertexColours(vertices: number, colourOf: (i: number) => Colour): Float32Array {
  const out = new Float32Array(3 * vertices);
  for (let i = 0; i < vertices; i++) out.set(colourOf(i), 3 * i);
  return out;
}

async function regionsPicture(model: SkinnedModel, camera: Camera): Promise<string> {
  const { mesh, skeleton } = model;
  const { joints, influences } = model.weights;
  const n = vertexCount(mesh);
  const strongest = Uint16Array.from({ length: n }, (_, i) => joints[i * influences]);
  const sizes = new Uint32Array(boneCount(skeleton));
  for (const j of strongest) sizes[j]++;

  const neighbours = Array.from(sizes, () => new Set<number>());
  for (let t = 0; t < mesh.triangles.length; t++) {
    const [a, b] = [mesh.triangles[t], mesh.triangles[t - (t % 3) + ((t + 1) % 3)]].map((i) => strongest[i]);
    if (a === b) continue;
    neighbours[a].add(b);
    neighbours[b].add(a);
  }
  const colours = regionColours(neighbours);
  const surface = surfaceOf(
    mesh,
    mesh.positions,
    perVertexColours(n, (i) => colours[strongest[i]]),
  );
  const q = new Float64Array(3);
  const bind = bindPositions(model);
  const dots = Array.from(sizes, (size, j) => {
    if (size === 0) return '';
    camera.project(q, bind, j);
    const title = `${skeleton.names[j]}: strongest on ${plural(size, 'vertex', 'vertices')}`;
    return `<circle class="joint" cx="${q[0].toFixed(1)}" cy="${q[1].toFixed(1)}" r="4.5"><title>${escapeText(title)}</title></circle>`;
  });
  const shown = sizes.filter((size) => size > 0).length;
  return svgOf(rasterize(surface, camera), `Regions of ${count(shown)} bones and their joints`, dots.join(''));
}

/** 3B: where the joints are in the rest pose. */
function bindPositions({ skeleton }: SkinnedModel): Float64Array {
  const out = new Float64Array(3 * boneCount(skeleton));
  const bind = new Float64Array(MATRIX_STRIDE);
  for (let j = 0; j < boneCount(skeleton); j++) {
    if (invert34(bind, 0, skeleton.inverseBind, MATRIX_STRIDE * j)) out.set([bind[3], bind[7], bind[11]], 3 * j);
  }
  return out;
}

/** A ring around a vertex with a label; dashed, and labelled so, when the surface hides it. */
function markOf(camera: Camera, positions: Float32Array, i: number, label: string, visible: boolean): string {
  const q = new Float64Array(3);
  camera.project(q, positions, i);
  const [x, y] = [q[0].toFixed(1), q[1].toFixed(1)];
  const right = q[0] < 0.75 * camera.width;
  const ring = (kind: string): string =>
    `<circle class="ring ${kind}${visible ? '' : ' hidden'}" cx="${x}" cy="${y}" r="11"/>`;
  const text = `<text x="${(q[0] + (right ? 17 : -17)).toFixed(1)}" y="${(q[1] + 5).toFixed(1)}" text-anchor="${right ? 'start' : 'end'}">${label}${visible ? '' : ' (hidden)'}</text>`;
  return ring('under') + ring('over') + text;
}

/** A picture as inline SVG, with more of it over the pixels. */
export async function svgOf(picture: Picture, label: string, over = ''): Promise<string> {
  const { width, height } = picture;
  return (
    `<svg class="picture" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(label)}">` +
    `<image href="${await pngDataUrl(picture)}" width="${width}" height="${height}"/>${over}</svg>`
  );
}

/** The same as a file of its own, which must name its language. */
export const standaloneSvg = (svg: string): string => svg.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ');

/** The frame whose error is the median of all. */
function medianFrame(perFrame: Float64Array): number {
  const order = Array.from(perFrame.keys()).sort((a, b) => perFrame[a] - perFrame[b] || a - b);
  return order[order.length >> 1];
}

/** The next number of two digits at most. */
export function roundUp(x: number): number {
  const unit = 10 ** (Math.floor(Math.log10(x)) - 1);
  return Number((Math.ceil(x / unit - 1e-9) * unit).toPrecision(2));
}

import { note } from '../../model/note.ts';
import { cubicParts, timeBeforeStep } from '../key-times.ts';
import type { ColladaDocument } from './document.ts';
import type { XmlElement } from './xml.ts';

/**
 * How the values of a `<sampler>` go from key to key (1.4.1, chapter 4, "Interpreting curves"). Each key says how the
 * segment after it is interpolated. BEZIER and HERMITE segments are cubic in time and value alike: B(s) =
 * (1−s)³·P0 + 3(1−s)²s·C0 + 3(1−s)s²·C1 + s³·P1, for HERMITE with C0 = P0 + T0/3 and C1 = P1 − T1/3.
 */
export interface Curve {
  /** K: seconds, never falling. */
  times: Float64Array;
  /** K·width. */
  values: Float64Array;
  width: number;
  /** K: how the segment from each key goes. */
  kinds: ('linear' | 'step' | 'cubic')[];
  /** (K − 1)·width·4 where some segment is cubic: time and value of C0 and of C1. */
  controls?: Float64Array;
}

/** Keys closer than this are one: files round the same time differently in different channels. Seconds. */
export const SAME_TIME = 1e-5;

/** The curve of a sampler whose keys and values are known. */
export function readCurve(
  document: ColladaDocument,
  sampler: XmlElement,
  times: Float64Array,
  values: Float64Array,
  width: number,
): Curve {
  const input = document.input(sampler, 'INTERPOLATION');
  const names = input ? document.names(input).names : [];
  const controls = names.some(isCubic) ? readControls(document, sampler, times, values, width, names) : undefined;
  const straightened = names.some((name) => (isCubic(name) && !controls) || name === 'CARDINAL' || name === 'BSPLINE');
  if (straightened) document.note(note('curves-straightened', {}));
  const kinds = Array.from(times, (_, k) => {
    // A list that is too short says of the rest what it says last.
    const name = names[Math.min(k, names.length - 1)];
    return name === 'STEP' ? 'step' : isCubic(name) && controls ? 'cubic' : 'linear';
  });
  return { times, values, width, kinds, controls };
}

const isCubic = (name: string | undefined): boolean => name === 'BEZIER' || name === 'HERMITE';

/**
 * Control points: of each number a time and a value, or a value alone (then a third of the way). Undefined for other
 * layouts and for matrices, whose numbers do not bend one by one.
 */
function readControls(
  document: ColladaDocument,
  sampler: XmlElement,
  times: Float64Array,
  values: Float64Array,
  width: number,
  names: readonly string[],
): Float64Array | undefined {
  const [into, out] = ['IN_TANGENT', 'OUT_TANGENT'].map((semantic) => {
    const input = document.input(sampler, semantic);
    return input && document.source(input, 1);
  });
  const fits = into && out && into.width === out.width && (out.width === width || out.width === 2 * width);
  if (!fits || width === 16 || Math.min(into.count, out.count) < times.length) return undefined;

  const withTimes = out.width === 2 * width;
  const controls = new Float64Array(4 * (times.length - 1) * width);
  for (let k = 0; k + 1 < times.length; k++) {
    const isHermite = names[Math.min(k, names.length - 1)] === 'HERMITE';
    const duration = times[k + 1] - times[k];
    const within = (time: number): number => Math.min(Math.max(time, times[k]), times[k + 1]);
    for (let c = 0; c < width; c++) {
      const number = (tangents: Float64Array, key: number, part: number): number =>
        tangents[withTimes ? 2 * (key * width + c) + part : key * width + c];
      const [x0, y0] = [number(out.values, k, 0), number(out.values, k, 1)];
      const [x1, y1] = [number(into.values, k + 1, 0), number(into.values, k + 1, 1)];
      const [a, b] = [values[k * width + c], values[(k + 1) * width + c]];
      // A curve that went back in time would have several values there.
      const at = 4 * (k * width + c);
      controls[at] = within(!withTimes ? times[k] + duration / 3 : isHermite ? times[k] + x0 / 3 : x0);
      controls[at + 1] = isHermite ? a + y0 / 3 : y0;
      controls[at + 2] = within(!withTimes ? times[k + 1] - duration / 3 : isHermite ? times[k + 1] - x1 / 3 : x1);
      controls[at + 3] = isHermite ? b - y1 / 3 : y1;
    }
  }
  return controls;
}

const bezier = (s: number, p0: number, c0: number, c1: number, p1: number): number =>
  (1 - s) ** 3 * p0 + 3 * (1 - s) ** 2 * s * c0 + 3 * (1 - s) * s * s * c1 + s ** 3 * p1;

/** Number c of a cubic segment from key k, at a time within it. */
export function cubicAt({ times, values, width, controls }: Curve, k: number, c: number, time: number): number {
  const [x0, y0, x1, y1] = controls!.subarray(4 * (k * width + c), 4 * (k * width + c) + 4);
  // Time rises with s: halving the interval finds s to 2⁻⁴⁰.
  let low = 0;
  let high = 1;
  for (let n = 0; n < 40; n++) {
    const middle = (low + high) / 2;
    if (bezier(middle, times[k], x0, x1, times[k + 1]) < time) low = middle;
    else high = middle;
  }
  return bezier((low + high) / 2, values[k * width + c], y0, y1, values[(k + 1) * width + c]);
}

/** Times between the keys without which straight lines would not follow the curve. */
export function timesBetween({ times, values, width, kinds, controls }: Curve): number[] {
  const between: number[] = [];
  const range = controls ? extent([values, controls.filter((_, c) => c % 2 === 1)]) : 0;
  for (let k = 0; k + 1 < times.length; k++) {
    const numbers = Array.from({ length: width }, (_, c) => k * width + c);
    if (kinds[k] === 'step') {
      const before = timeBeforeStep(times[k + 1], SAME_TIME);
      if (before > times[k] && numbers.some((n) => values[n] !== values[n + width])) between.push(before);
    } else if (kinds[k] === 'cubic') {
      for (const n of numbers) {
        const [x0, y0, x1, y1] = controls!.subarray(4 * n, 4 * n + 4);
        const parts = cubicParts([[values[n]], [y0], [y1], [values[n + width]]], range);
        for (let p = 1; p < parts; p++) between.push(bezier(p / parts, times[k], x0, x1, times[k + 1]));
      }
    }
  }
  return between;
}

/** From the smallest to the largest number. */
function extent(all: readonly Float64Array[]): number {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const numbers of all) {
    for (const x of numbers) {
      min = Math.min(min, x);
      max = Math.max(max, x);
    }
  }
  return max - min;
}

/** The bars that folds have to clear: what is required, and what was measured in each scene. */
import type { Judged } from './cloth-ways.ts';

export interface SceneFigures {
  name: string;
  /** Simulation of coarse and fine cloth, ms a frame. */
  cost: number;
  judged: Judged[];
  /** At twice the motion. */
  twice?: Judged[];
}

export interface Bar {
  what: string;
  must: string;
  /** One per scene. */
  values: string[];
  met: boolean;
}

const BASE = 'barycentric';
const MODES = ['linear', 'learned', 'still', 'quiet', 'lively', 'alone'];

const find = (judged: readonly Judged[], name: string): Judged => judged.find((each) => each.name === name)!;
const best = (judged: readonly Judged[]): Judged =>
  judged.filter(({ name }) => MODES.includes(name)).reduce((a, b) => (b.E < a.E ? b : a));
const mean = (xs: readonly number[]): number => xs.reduce((sum, x) => sum + x, 0) / xs.length;

export function barRows(scenes: readonly SceneFigures[]): Bar[] {
  const bar = (
    what: string,
    must: string,
    value: (scene: SceneFigures) => number,
    digits: number,
    isMet: (x: number) => boolean,
  ): Bar => {
    const values = scenes.map(value);
    return { what, must, values: values.map((x) => x.toFixed(digits)), met: values.every(isMet) };
  };
  const gain = scenes.map(({ judged }) => find(judged, 'quiet').W - find(judged, 'learned').W);
  const againstLinear = scenes.map(({ judged }) => best(judged).E / find(judged, 'linear').E);
  const bars: Bar[] = [
    bar(
      'E of the best mode / embedding',
      '≤ 0.90',
      ({ judged }) => best(judged).E / find(judged, BASE).E,
      2,
      (x) => x <= 0.9,
    ),
    bar(
      'E of the best mode / ⅓ Phong with push',
      '–',
      ({ judged }) => best(judged).E / find(judged, '⅓ Phong, push').E,
      2,
      () => true,
    ),
    {
      what: 'E of the best mode / linear',
      must: '≤ 1.03 each, mean ≤ 0.95',
      values: againstLinear.map((x) => x.toFixed(2)),
      met: againstLinear.every((x) => x <= 1.03) && mean(againstLinear) <= 0.95,
    },
    bar(
      'J, quiet',
      '≤ 0.5',
      ({ judged }) => find(judged, 'quiet').J,
      2,
      (x) => x <= 0.5,
    ),
    {
      what: 'W, quiet − learned',
      must: '≥ −2 each, mean ≥ 3',
      values: gain.map((x) => x.toFixed(0)),
      met: gain.every((x) => x >= -2) && mean(gain) >= 3,
    },
    bar(
      'N, quiet / embedding',
      '≤ 0.92',
      ({ judged }) => find(judged, 'quiet').N / find(judged, BASE).N,
      2,
      (x) => x <= 0.92,
    ),
    bar(
      'N, lively / embedding',
      '≤ 1',
      ({ judged }) => find(judged, 'lively').N / find(judged, BASE).N,
      2,
      (x) => x <= 1,
    ),
    bar(
      'V, lively',
      '≥ 0.65',
      ({ judged }) => find(judged, 'lively').V,
      2,
      (x) => x >= 0.65,
    ),
    bar(
      'deepest vertex in the body, mm',
      '0',
      ({ judged, twice = [] }) => deepest([...judged, ...twice]),
      1,
      (x) => x < 0.05,
    ),
    bar(
      'times faster than simulation, quiet',
      '≥ 8',
      ({ judged, cost }) => cost / find(judged, 'quiet').milliseconds,
      0,
      (x) => x >= 8,
    ),
  ];
  if (!scenes.every(({ twice }) => twice)) return bars;
  return [
    ...bars,
    bar(
      'twice the motion: W, quiet',
      '≥ −5',
      ({ twice = [] }) => find(twice, 'quiet').W,
      0,
      (x) => x >= -5,
    ),
    bar(
      'twice the motion: W, alone',
      '≥ −5',
      ({ twice = [] }) => find(twice, 'alone').W,
      0,
      (x) => x >= -5,
    ),
    bar(
      'twice the motion: worst vertex, quiet / embedding',
      '≤ 1.3',
      ({ twice = [] }) => find(twice, 'quiet').worst / find(twice, BASE).worst,
      2,
      (x) => x <= 1.3,
    ),
  ];
}

/** Of all ways that push vertices out. */
const deepest = (judged: readonly Judged[]): number =>
  Math.max(...judged.filter(({ name, depth }) => name !== BASE && Number.isFinite(depth)).map(({ depth }) => depth));

import { describe, expect, it } from 'vitest';
import { steadyTimes } from '../../src/model/sequence.ts';
import { isWhole, rangeWithin } from '../../studio/src/core/view/frame-range.ts';
import type { Track } from '../../studio/src/film/container.ts';
import { placeOfLegend } from '../../studio/src/film/labels.ts';
import { cutFilm } from '../../studio/src/film/moments.ts';
import { mp4 } from '../../studio/src/film/mp4.ts';
import { webm } from '../../studio/src/film/webm.ts';

describe('an animation', () => {
  it('has every frame once, at its time', () => {
    const { moments, length } = cutFilm(Float64Array.of(2, 2.5, 4), { from: 0, to: 2 }, 2, false);
    expect(moments).toEqual([
      { frame: 0, turn: 0, start: 0 },
      { frame: 1, turn: 0, start: 250_000 },
      { frame: 2, turn: 0, start: 1_000_000 },
    ]);
    expect(length).toBe(1_500_000);
  });

  it('orbits in small steps for any motion', () => {
    const smooth = cutFilm(steadyTimes(48, 24), { from: 0, to: 47 }, 1, true);
    expect([smooth.moments.length, smooth.length]).toEqual([48, 2_000_000]);
    expect(smooth.moments[12].turn).toBe(0.25);
    const coarse = cutFilm(steadyTimes(4, 2), { from: 0, to: 3 }, 1, true);
    expect([coarse.moments.length, coarse.length]).toEqual([60, 2_000_000]);
    expect(coarse.moments.map(({ frame }) => frame).filter((frame) => frame === 3)).toHaveLength(15);
    const still = cutFilm(Float64Array.of(0), { from: 0, to: 0 }, 1, true);
    expect([still.moments.length, still.length, still.moments.at(-1)?.frame]).toEqual([120, 4_000_000, 0]);
  });

  it('of some frames starts with the first and lasts as long as they do', () => {
    const { moments, length } = cutFilm(Float64Array.of(0, 1, 3, 4), { from: 1, to: 2 }, 2, false);
    expect(moments).toEqual([
      { frame: 1, turn: 0, start: 0 },
      { frame: 2, turn: 0, start: 1_000_000 },
    ]);
    expect(length).toBe(2_000_000);
    const one = cutFilm(steadyTimes(9, 24), { from: 5, to: 5 }, 1, false);
    expect(one.moments).toEqual([{ frame: 5, turn: 0, start: 0 }]);
    const around = cutFilm(steadyTimes(9, 2), { from: 4, to: 6 }, 1, true);
    expect([around.moments[0].frame, around.moments.at(-1)!.frame, around.moments.length]).toEqual([4, 6, 45]);
  });

  it('has the requested frames, clamped to the motion', () => {
    expect(rangeWithin({}, 9)).toEqual({ from: 0, to: 9 });
    expect(rangeWithin({ from: 3, to: 5 }, 9)).toEqual({ from: 3, to: 5 });
    expect(rangeWithin({ from: 3, to: 50 }, 9)).toEqual({ from: 3, to: 9 });
    expect(rangeWithin({ from: 30, to: 50 }, 9)).toEqual({ from: 0, to: 9 });
    expect([isWhole({ from: 0, to: 9 }, 9), isWhole({ from: 1, to: 9 }, 9)]).toEqual([true, false]);
  });

  it('fits its scales into the picture, stacked if it is narrow', () => {
    expect([0, 1, 2].map((at) => placeOfLegend(at, 700))).toEqual([
      { column: 0, row: 0 },
      { column: 1, row: 0 },
      { column: 0, row: 1 },
    ]);
    expect(placeOfLegend(1, 540)).toEqual({ column: 0, row: 1 });
  });
});

describe('animation files', () => {
  const packet = (start: number, key: boolean) => ({ bytes: Uint8Array.of(1, 2, 3), start, length: 40_000, key });
  const track: Track = {
    width: 64,
    height: 32,
    packets: [packet(0, true), packet(40_000, false), packet(80_000, true)],
    description: Uint8Array.of(9),
  };
  const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());

  it('MP4: boxes fill their parents, and the tables point at the frames', async () => {
    const bytes = await bytesOf(mp4(track));
    const view = new DataView(bytes.buffer);
    const found = new Map<string, number>();
    const walk = (from: number, to: number): void => {
      for (let at = from; at < to; at += view.getUint32(at)) {
        const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
        found.set(name, at + 8);
        expect(at + view.getUint32(at)).toBeLessThanOrEqual(to);
        if (['moov', 'trak', 'mdia', 'minf', 'stbl'].includes(name)) walk(at + 8, at + view.getUint32(at));
      }
    };
    walk(0, bytes.length);
    const first = view.getUint32(found.get('stco')! + 8);
    expect([...bytes.subarray(first, first + 9)]).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3]);
    expect(view.getUint32(found.get('mvhd')! + 16)).toBe(120_000);
    expect([8, 12].map((offset) => view.getUint32(found.get('stss')! + offset))).toEqual([1, 3]);
  });

  it('MP4: requires the codec configuration', () => {
    expect(() => mp4({ ...track, description: undefined })).toThrow(/expected a description/);
  });

  it('WebM: elements fill their parents, a cluster starts with each key frame', async () => {
    const bytes = await bytesOf(webm(track, 'V_VP9'));
    const view = new DataView(bytes.buffer);
    const ids: number[] = [];
    const walk = (from: number, to: number): void => {
      let at = from;
      while (at < to) {
        const size = 1 + Math.clz32(bytes[at] << 24);
        let id = 0;
        for (let b = 0; b < size; b++) id = id * 256 + bytes[at + b];
        ids.push(id);
        const length = view.getUint32(at + size + 4);
        const start = at + size + 8;
        if ([0x1a45dfa3, 0x18538067, 0x1f43b675, 0x1654ae6b, 0xae].includes(id)) walk(start, start + length);
        at = start + length;
      }
      expect(at).toBe(to);
    };
    walk(0, bytes.length);
    expect(ids.filter((id) => id === 0x1f43b675)).toHaveLength(2);
    expect(ids.filter((id) => id === 0xa3)).toHaveLength(3);
  });
});

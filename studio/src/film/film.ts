import {
  BufferTarget,
  getFirstEncodableVideoCodec,
  Mp4OutputFormat,
  Output,
  Quality,
  type VideoCodec,
  VideoSample,
  VideoSampleSource,
  WebMOutputFormat,
} from 'mediabunny';
import { throwIfCancelled } from '../../../src/error.ts';
import { PliantError, type RunOptions } from '../../../src/index.ts';
import type { Doc } from '../core/doc.ts';
import type { FrameRange } from '../core/view/frame-range.ts';
import type { ViewLabels } from '../core/view/view-labels.ts';
import type { Viewport } from '../viewport/viewport.ts';
import { withLabels } from './labels.ts';
import { type Cut, cutFilm, type Moment } from './moments.ts';

/**
 * The view as an animation. Frames are drawn one by one with their own timestamps, so the speed is right however slow the
 * machine is; recording a canvas in real time cannot guarantee that.
 */

export interface FilmOptions {
  /** Pixels. */
  width: number;
  height: number;
  /** The frames to show. */
  frames: FrameRange;
  /** The camera orbits once. */
  turntable: boolean;
  /** Labels of the frame drawn last [default: none]. */
  labels?(): ViewLabels;
}

/** In order of preference: what plays everywhere first. */
const CODECS: VideoCodec[] = ['avc', 'vp9', 'vp8'];

const BITS_PER_PIXEL = 0.2;
const [LEAST_BITS, MOST_BITS] = [1.5e6, 4e7];

export async function film(
  doc: Doc,
  viewport: Viewport,
  { width, height, frames, turntable, labels }: FilmOptions,
  run: Required<RunOptions>,
): Promise<{ file: Blob; ending: string }> {
  const { playback } = doc;
  const cut = cutFilm(playback.times.peek(), frames, playback.speed.peek(), turntable);
  // Codecs halve the resolution of colours.
  const size = { width: 2 * Math.round(width / 2), height: 2 * Math.round(height / 2) };
  const rate = cut.moments.length / cut.length;
  const bits = BITS_PER_PIXEL * size.width * size.height * rate;
  const quality = new Quality({ bitrate: Math.round(Math.max(LEAST_BITS, Math.min(MOST_BITS, bits))) });
  const codec = 'VideoEncoder' in globalThis && (await getFirstEncodableVideoCodec(CODECS, { ...size, quality }));
  if (!codec) {
    const cause = 'this browser cannot encode video (expected H.264, VP9 or VP8 by WebCodecs, which needs https)';
    throw new PliantError('unsupported', 'animation', cause);
  }

  const source = new VideoSampleSource({ codec, quality });
  const format = codec === 'avc' ? new Mp4OutputFormat() : new WebMOutputFormat();
  const target = new BufferTarget();
  const output = new Output({ format, target });
  output.addVideoTrack(source);
  await output.start();

  const [frame, playing] = [playback.frame.peek(), playback.playing.peek()];
  playback.playing.value = false;
  const label = labels && withLabels(viewport.host, labels);
  try {
    await viewport.atSize(size.width, size.height, (turn) =>
      encode(source, cut, run, async (moment, before) => {
        playback.seek(moment.frame);
        await viewport.onMoment(before && (moment.start - before.start) * playback.speed.peek());
        turn(moment.turn);
        return label ? label(viewport.canvas, viewport.panes) : viewport.canvas;
      }),
    );
    await output.finalize();
    return { file: new Blob([target.buffer!], { type: format.mimeType }), ending: format.fileExtension.slice(1) };
  } catch (error) {
    await output.cancel();
    throw error;
  } finally {
    playback.seek(frame);
    playback.playing.value = playing;
  }
}

/** Every moment, drawn and encoded. */
async function encode(
  source: VideoSampleSource,
  { moments, length }: Cut,
  { onProgress, signal }: Required<RunOptions>,
  draw: (moment: Moment, before: Moment | undefined) => Promise<HTMLCanvasElement | OffscreenCanvas>,
): Promise<void> {
  for (const [n, moment] of moments.entries()) {
    throwIfCancelled(signal, 'animation');
    onProgress(n, moments.length, 'drawing');
    const duration = (moments[n + 1]?.start ?? length) - moment.start;
    const picture = new VideoSample(await draw(moment, moments[n - 1]), { timestamp: moment.start, duration });
    await source.add(picture);
    picture.close();
    // Lets the page respond.
    await new Promise((done) => setTimeout(done));
  }
  onProgress(moments.length, moments.length, 'writing');
}

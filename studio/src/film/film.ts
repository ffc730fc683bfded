import { throwIfCancelled } from '../../../src/error.ts';
import { PliantError, type RunOptions } from '../../../src/index.ts';
import type { Doc } from '../core/doc.ts';
import type { FrameRange } from '../core/view/frame-range.ts';
import type { ViewLabels } from '../core/view/view-labels.ts';
import type { Viewport } from '../viewport/viewport.ts';
import type { Track } from './container.ts';
import { withLabels } from './labels.ts';
import { type Cut, cutFilm } from './moments.ts';
import { mp4 } from './mp4.ts';
import { webm } from './webm.ts';

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

interface Format {
  codec: string;
  ending: string;
  file(track: Track): Blob;
}

/** In order of preference: what plays everywhere first. */
const FORMATS: readonly Format[] = [
  // Constrained baseline: frames are stored in display order. Level 4.2, and 5.2 for fine screens.
  { codec: 'avc1.42e02a', ending: 'mp4', file: mp4 },
  { codec: 'avc1.42e034', ending: 'mp4', file: mp4 },
  { codec: 'vp09.00.41.08', ending: 'webm', file: (track) => webm(track, 'V_VP9') },
  { codec: 'vp8', ending: 'webm', file: (track) => webm(track, 'V_VP8') },
];

const BITS_PER_PIXEL = 0.2;
const [LEAST_BITS, MOST_BITS] = [1.5e6, 4e7];
/** Frames, or microseconds, between key frames. */
const KEY_PICTURES = 60;
const KEY_LENGTH = 5e6;
/** Maximum frames queued in the encoder. */
const MOST_WAITING = 4;

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
  const rate = (cut.moments.length * 1e6) / cut.length;
  const bitrate = Math.max(LEAST_BITS, Math.min(MOST_BITS, BITS_PER_PIXEL * size.width * size.height * rate));
  const [format, config] = await choose({ ...size, bitrate, framerate: rate });

  const [frame, playing] = [playback.frame.peek(), playback.playing.peek()];
  playback.playing.value = false;
  const label = labels && withLabels(viewport.host, labels);
  try {
    const track = await viewport.atSize(size.width, size.height, (turn) =>
      encode(config, cut, run, ({ frame, turn: share }) => {
        playback.seek(frame);
        turn(share);
        return label ? label(viewport.canvas, viewport.panes) : viewport.canvas;
      }),
    );
    return { file: format.file(track), ending: format.ending };
  } finally {
    playback.seek(frame);
    playback.playing.value = playing;
  }
}

async function choose(wanted: Omit<VideoEncoderConfig, 'codec'>): Promise<[Format, VideoEncoderConfig]> {
  for (const format of 'VideoEncoder' in globalThis ? FORMATS : []) {
    const config = { ...wanted, codec: format.codec };
    const { supported } = await VideoEncoder.isConfigSupported(config);
    if (supported) return [format, config];
  }
  const cause = 'this browser cannot encode video (expected H.264, VP9 or VP8 by WebCodecs, which needs https)';
  throw new PliantError('unsupported', 'animation', cause);
}

/** Every moment, drawn and encoded. */
async function encode(
  config: VideoEncoderConfig,
  { moments, length }: Cut,
  { onProgress, signal }: Required<RunOptions>,
  draw: (moment: Cut['moments'][number]) => HTMLCanvasElement | OffscreenCanvas,
): Promise<Track> {
  const track: Track = { width: config.width, height: config.height, packets: [] };
  let failure: unknown;
  const encoder = new VideoEncoder({
    output(chunk, metadata) {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      const n = track.packets.length;
      const end = moments[n + 1]?.start ?? length;
      track.packets.push({ bytes, start: chunk.timestamp, length: end - chunk.timestamp, key: chunk.type === 'key' });
      const description = metadata?.decoderConfig?.description;
      if (description) track.description = bytesOf(description);
    },
    error(error) {
      failure = error;
    },
  });
  try {
    encoder.configure(config);
    let lastKey = -Infinity;
    for (const [n, moment] of moments.entries()) {
      throwIfCancelled(signal, 'animation');
      onProgress(n, moments.length, 'drawing');
      const next = moments[n + 1]?.start ?? length;
      const picture = new VideoFrame(draw(moment), { timestamp: moment.start, duration: next - moment.start });
      const keyFrame = n % KEY_PICTURES === 0 || moment.start - lastKey > KEY_LENGTH;
      if (keyFrame) lastKey = moment.start;
      encoder.encode(picture, { keyFrame });
      picture.close();
      // Lets the page respond.
      do await new Promise((done) => setTimeout(done));
      while (encoder.encodeQueueSize > MOST_WAITING && !failure);
      if (failure) throw failure;
    }
    onProgress(moments.length, moments.length, 'writing');
    await encoder.flush();
    if (failure) throw failure;
    return track;
  } finally {
    if (encoder.state !== 'closed') encoder.close();
  }
}

const bytesOf = (source: AllowSharedBufferSource): Uint8Array<ArrayBuffer> =>
  ArrayBuffer.isView(source)
    ? Uint8Array.from(new Uint8Array(source.buffer, source.byteOffset, source.byteLength))
    : Uint8Array.from(new Uint8Array(source));

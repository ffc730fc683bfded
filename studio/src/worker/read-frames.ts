import { throwIfCancelled } from '../../../src/error.ts';
import { type MeshSequence, PliantError, type RunOptions } from '../../../src/index.ts';
import type { SequenceData } from '../core/content/content.ts';

type Run = Required<RunOptions>;

/** Maximum bytes of frames: all are held in memory for playback and comparison. */
const MOST_BYTES = 1.5e9;

/** Refuses more frames than can be held. */
export function requireRoom(parts: readonly MeshSequence[]): void {
  const bytes = parts.reduce((sum, { rest, frameCount }) => sum + 4 * rest.positions.length * frameCount, 0);
  if (bytes > MOST_BYTES) {
    const cause = `${Math.round(bytes / 1e6)} MB of frames (expected at most ${MOST_BYTES / 1e6} MB): use the command pliant fit, which reads frames when it needs them`;
    throw new PliantError('too-large', 'open', cause);
  }
}

/** Memory for frames: shared by threads if the page is cross-origin isolated. */
function roomFor(bytes: number): ArrayBuffer | SharedArrayBuffer {
  try {
    return new (globalThis.crossOriginIsolated ? SharedArrayBuffer : ArrayBuffer)(bytes);
  } catch {
    const cause = `not enough memory for ${Math.round(bytes / 1e6)} MB of frames: close other tabs, or use the command pliant fit, which reads frames when it needs them`;
    // The file is fine: another try may succeed.
    throw new PliantError('internal', 'open', cause);
  }
}

/** All frames of a sequence. */
export async function readFrames(sequence: MeshSequence, { onProgress, signal }: Run): Promise<SequenceData> {
  const { name, rest, times, frameCount } = sequence;
  const size = rest.positions.length;
  const frames = new Float32Array(roomFor(4 * size * frameCount));
  for (let k = 0; k < frameCount; k++) {
    throwIfCancelled(signal, 'open');
    if (k % 16 === 0) onProgress(k, frameCount, 'reading frames');
    await sequence.readFrame(k, frames.subarray(k * size, (k + 1) * size));
  }
  return { name, rest, times, frames };
}

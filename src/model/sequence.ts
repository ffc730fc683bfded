import { PliantError } from '../error.ts';
import { firstNonFinite, type Mesh, validateMesh, vertexCount } from './mesh.ts';
import { plural } from './wording.ts';

/**
 * A mesh whose vertices move. Frames are read when asked for, so that a sequence larger than memory can be processed;
 * reading is asynchronous because browsers read files that way.
 */
export interface MeshSequence {
  name: string;
  /** The clip that moves it, where a file has clips. */
  clip?: string;
  /** The mesh that the frames deform; its triangles serve every frame. Not itself a frame. */
  rest: Mesh;
  /** P ≥ 1. */
  frameCount: number;
  /** P times in seconds, increasing. */
  times: Float64Array;
  /** Reads the 3N positions of frame k, into `out` when given. Rejects with a PliantError on bad data. */
  readFrame(k: number, out?: Float32Array): Promise<Float32Array>;
  /** Lets go of open files. The sequence cannot be read afterwards. */
  close?(): Promise<void>;
}

/** P frames at a steady rate, starting at 0. */
export function steadyTimes(frameCount: number, framesPerSecond = 24): Float64Array {
  const times = new Float64Array(frameCount);
  for (let k = 0; k < frameCount; k++) times[k] = k / framesPerSecond; // a cache may have millions
  return times;
}

/** A sequence whose frames (3N each) are in memory. */
export function memorySequence(
  name: string,
  rest: Mesh,
  frames: readonly Float32Array[],
  times: Float64Array = steadyTimes(frames.length),
): MeshSequence {
  return {
    name,
    rest,
    frameCount: frames.length,
    times,
    async readFrame(k, out) {
      if (!(k in frames)) throw frameOutOfRange(name, k, frames.length);
      if (!out) return frames[k].slice();
      out.set(frames[k]);
      return out;
    },
  };
}

/** The error every sequence throws for a frame it does not have. */
export function frameOutOfRange(name: string, k: number, frameCount: number): PliantError {
  return new PliantError('bad-option', 'readFrame', `${name}: no frame ${k} (expected 0 to ${frameCount - 1})`);
}

/** Throws `bad-input` where a sequence breaks its contract. Reads every frame. */
export async function validateSequence(sequence: MeshSequence, operation = 'validateSequence'): Promise<void> {
  validateMesh(sequence.rest, operation);
  const fail = (cause: string): never => {
    throw new PliantError('bad-input', operation, `${sequence.name}: ${cause}`);
  };
  if (sequence.frameCount < 1) fail('no frames');
  if (sequence.times.length !== sequence.frameCount) {
    fail(`${sequence.times.length} times (expected ${sequence.frameCount})`);
  }
  for (let k = 1; k < sequence.frameCount; k++) {
    if (!(sequence.times[k] > sequence.times[k - 1])) fail(`time of frame ${k} does not increase`);
  }
  const n = vertexCount(sequence.rest);
  const frame = new Float32Array(3 * n);
  for (let k = 0; k < sequence.frameCount; k++) {
    const positions = await sequence.readFrame(k, frame);
    if (positions.length !== 3 * n)
      fail(`frame ${k} has ${plural(positions.length / 3, 'vertex', 'vertices')} (expected ${n})`);
    const nan = firstNonFinite(positions);
    if (nan >= 0) fail(`frame ${k}, vertex ${Math.floor(nan / 3)}: coordinate ${positions[nan]} is not finite`);
  }
}

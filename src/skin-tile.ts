import { PliantError } from './error.ts';
import { memorySource, NO_FILES } from './io/files.ts';
import { readGltf } from './io/read-gltf.ts';
import type { TileTask } from './kernels/tiles.ts';
import { choiceOption, integerOption, type OptionSpecs, type OptionsOf, parseOptions } from './model/options.ts';
import { SKIN_OPERATORS } from './model/skinned-model.ts';
import { posedSequence } from './skin/posed-sequence.ts';

/** A job of the task "skin": some frames of a clip of a rig, both by index. */
const JOB = {
  model: integerOption(0, { min: 0, max: 65_535 }, 'which rig of the file'),
  clip: integerOption(0, { min: 0, max: 65_535 }, 'which of its clips'),
  begin: integerOption(0, { min: 0, max: 2 ** 31 }, 'first frame'),
  frames: integerOption(1, { min: 1, max: 4096 }, 'number of frames'),
  operator: choiceOption('lbs', SKIN_OPERATORS, 'skinning operator'),
} as const satisfies OptionSpecs;

type SkinTileJob = OptionsOf<typeof JOB>;

/** So many bytes may a tile have. */
const MAX_BYTES = 2 ** 30;

/** Poses frames of a rig: a GLB and a job → positions of its vertices as 32-bit floats, frame after frame. */
export const skinTile: TileTask<SkinTileJob> = {
  inputs: { count: 1, maxBytes: 2 ** 30 },
  version: 1,

  check: (job) => parseOptions(JOB, job, 'skin'),

  async open([glb]) {
    const { models } = await readGltf(memorySource('rig.glb', glb), NO_FILES, 'rig.glb');
    return async ({ model, clip, begin, frames, operator }) => {
      const rig = models[model];
      const sequence = rig?.clips[clip] && posedSequence(rig, clip, { operator });
      if (!sequence || begin + frames > sequence.frameCount) {
        const got = `rig ${model}, clip ${clip}, frames ${begin} to ${begin + frames - 1}`;
        throw new PliantError('not-found', 'skin', `the file has no such frames (got ${got})`);
      }
      const size = rig.mesh.positions.length;
      if (4 * size * frames > MAX_BYTES) {
        throw new PliantError('too-large', 'skin', `${4 * size * frames} bytes (expected at most ${MAX_BYTES})`);
      }
      const positions = new Float32Array(size * frames);
      for (let k = 0; k < frames; k++) {
        await sequence.readFrame(begin + k, positions.subarray(k * size, (k + 1) * size));
      }
      await sequence.close?.();
      return new Uint8Array(positions.buffer);
    };
  },
};

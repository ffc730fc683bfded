/** What trained cloth takes as a file. */
import { clothModel, coarseClip } from '../src/cloth/cloth-model.ts';
import type { ClothPair } from '../src/cloth/pairs.ts';
import { SMALL_MODEL_GLB } from '../src/io/glb/options.ts';
import { writeModelGlb } from '../src/io/write-glb.ts';
import type { TrainedCloth, UpsamplerModel } from '../src/model/trained-cloth.ts';

/** Frames of the coarse motion that players show, as `cloth train` has it. */
export const CLIP_FRAMES = 90;

/** Bytes of the GLB as `cloth train` writes it, and with `--small`. */
export async function fileSizes(pair: ClothPair, upsampler: UpsamplerModel): Promise<{ plain: number; small: number }> {
  const none = new Uint32Array(0);
  const { coarse, fine, pinned = { coarse: none, fine: none }, thickness = 0.006 } = pair;
  const cloth: TrainedCloth = {
    name: fine.rest.name ?? 'cloth',
    coarse: coarse.rest,
    fine: fine.rest,
    pinned,
    thickness,
    method: upsampler.centres > 0 ? 'learned' : 'linear',
    physics: 'quiet',
    upsampler,
  };
  const model = clothModel(cloth, [await coarseClip(coarse, CLIP_FRAMES)]);
  const [plain, small] = await Promise.all([
    writeModelGlb([model], { cloth }),
    writeModelGlb([model], { ...SMALL_MODEL_GLB, cloth }),
  ]);
  return { plain: plain.bytes.length, small: small.bytes.length };
}

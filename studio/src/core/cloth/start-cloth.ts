import type { TrainedCloth } from '../../../../src/doors/cloth.ts';
import type { Mesh, SkinnedModel } from '../../../../src/index.ts';
import { vertexCount } from '../../../../src/index.ts';
import type { Jobs } from '../../worker/protocol.ts';
import type { Content } from '../content/content.ts';
import { groupName, type PathFile } from '../content/file-groups.ts';
import type { Doc } from '../doc.ts';
import { startJob } from '../jobs/start-job.ts';
import { BodyRig } from './body-rig.ts';
import type { ClothFormat, OwnGarment } from './dress.ts';

/** Titles of jobs. */
export const OPENING = 'Opening the garment';
export const SIMULATING = 'Simulating';

/** Fewer vertices say nothing about the shape of a limb: nothing can be near it. */
const LIMB = 8;

/** The bones that cloth can be held by: those with a limb of their own. */
export function limbsOf(rigs: readonly SkinnedModel[]): string[] {
  const limbs = rigs.flatMap(({ skeleton, weights: { joints, influences } }) => {
    const counts = new Uint32Array(skeleton.names.length);
    for (let slot = 0; slot < joints.length; slot += influences) counts[joints[slot]]++;
    return skeleton.names.filter((_, bone) => counts[bone] >= LIMB);
  });
  return [...new Set(limbs)];
}

/** What was opened as a garment: trained cloth, or the largest mesh. @param learned what was trained since then. */
export function ownGarment(name: string, content: Content, learned?: TrainedCloth): OwnGarment | undefined {
  const { meshes, sequences, models, cloths } = content;
  const trained = learned ?? cloths?.[0];
  if (trained) return { name, mesh: trained.fine, trained };
  const all = [...meshes, ...sequences.map(({ rest }) => rest), ...models.map(({ mesh }) => mesh)];
  const solid = all.filter(({ triangles }) => triangles.length > 0);
  if (solid.length === 0) return undefined;
  const mesh = solid.reduce((most: Mesh, each) => (vertexCount(each) > vertexCount(most) ? each : most));
  return { name, mesh };
}

/** Opens a file as a garment and chooses it. Resolves to false if it holds no mesh. */
export async function openGarment(doc: Doc, files: PathFile[]): Promise<boolean> {
  const paths = files.map(([path]) => path);
  const content = await doc.run(OPENING, (onProgress) => startJob('open', { files, paths }, onProgress));
  if (!content) return true;
  const own = ownGarment(groupName(paths), content);
  if (own) doc.cloth.choose(own);
  return own !== undefined;
}

/** Garments for the sample figure whose folds were learned: files of the studio. */
export const TRAINED = ['trained-cape', 'trained-skirt'] as const;

/** Opens one of them and chooses it. Rejects if it cannot be loaded. */
export async function openTrained(doc: Doc, name: (typeof TRAINED)[number]): Promise<void> {
  const answer = await fetch(`assets/${name}.glb`);
  if (!answer.ok) throw new Error(answer.statusText);
  await openGarment(doc, [[name, new File([await answer.blob()], `${name}.glb`)]]);
}

/** Simulates the clip with what is worn, and writes a file. Resolves to undefined if cancelled or failed. */
export function writeCloth(doc: Doc, format: ClothFormat): Promise<Jobs['clothFile']['output'] | undefined> {
  const { worn, breeze, bending } = doc.cloth;
  const body = new BodyRig(doc);
  const input = {
    dress: worn.peek()!,
    model: { ...body.model, clips: [body.clip(doc.clip.peek(), steadyTimes(doc), doc.turns.value.peek())] },
    breeze: breeze.value.peek(),
    bending: bending.value.peek(),
    format,
  };
  return doc.run(SIMULATING, (onProgress) => startJob('clothFile', input, onProgress));
}

/** Frames per second of a saved garment. */
const RATE = 30;

/** Times over the clip that plays. */
function steadyTimes({ playback }: Doc): Float64Array {
  const times = playback.times.peek();
  const [first, last] = [times[0], times[times.length - 1]];
  return Float64Array.from({ length: Math.floor((last - first) * RATE + 1e-6) + 1 }, (_, k) => first + k / RATE);
}

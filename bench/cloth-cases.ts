/** Pairs to judge folds on: our scenes, simulated, and kept in a folder so that they are simulated once. */
import { existsSync, mkdirSync } from 'node:fs';
import { coarseMesh } from '../src/cloth/coarse-mesh.ts';
import { type ClothPair, type MotionUse, simulatePair } from '../src/cloth/pairs.ts';
import { isPairsFile, PairsWriter, readPairs } from '../src/cloth/pairs-folder.ts';
import type { PairSceneName } from '../src/cloth/scene.ts';
import type { Figures } from '../src/index.ts';
import { pairScene, sceneMotion } from '../src/pair-scenes.ts';
import { createFolderSink, nodeFiles } from '../src/platform/node/index.ts';

export interface CaseOptions {
  vertices: number;
  coarseVertices: number;
  /** Where pairs are kept. */
  folder: string;
  uses: readonly MotionUse[];
  /** At most so many motions [default all]. */
  most?: number;
  /** Multiplies the motion [default 1]. */
  strength?: number;
  /** Whether motions that are not trained on are simulated twice. */
  again?: boolean;
}

/** The pairs of a scene for some uses. */
export async function casesOf(name: PairSceneName, options: CaseOptions): Promise<ClothPair[]> {
  const { vertices, coarseVertices, folder, uses, strength = 1, again = true, most } = options;
  const pairs: ClothPair[] = [];
  const scene = pairScene(name, { vertices, framesPerSecond: 30, strength });
  let coarse: Awaited<ReturnType<typeof coarseMesh>> | undefined;
  for (const motion of scene.motions.filter(({ use }) => uses.includes(use)).slice(0, most)) {
    const size = `${vertices}-${coarseVertices}${strength === 1 ? '' : `-times-${strength}`}`;
    const path = `${folder}/${name}-${size}-${motion.name}`;
    if (!existsSync(`${path}/pairs.json`)) {
      mkdirSync(folder, { recursive: true });
      console.error(`simulating ${path}`);
      coarse ??= await coarseMesh(scene.garment.mesh, scene.garment.pinned, coarseVertices);
      const before = process.cpuUsage();
      const { pair, report } = await simulatePair(
        { ...scene.garment, wind: motion.wind },
        sceneMotion(scene, motion.name),
        {
          name: motion.name,
          seconds: motion.seconds,
          again: again && motion.use !== 'train',
          given: { coarse },
        },
      );
      const { user, system } = process.cpuUsage(before);
      const sink = await createFolderSink(path, { force: true, isOurs: isPairsFile });
      const clips = scene.body?.model.clips.filter((clip) => clip.name === motion.name);
      const writer = new PairsWriter(sink, name, scene.body && { ...scene.body.model, clips: clips! });
      await writer.add({ ...pair, use: motion.use }, { ...report.figures, seconds: (user + system) / 1e6 });
      await writer.finish();
      await sink.close();
    }
    pairs.push(...(await readPairs(nodeFiles, path)));
  }
  return pairs;
}

/** What was measured when a case was simulated. */
export async function caseFigures(folder: string): Promise<Figures> {
  const source = await nodeFiles.open(`${folder}/pairs.json`);
  const text = new TextDecoder().decode(await source.read(0, source.size));
  await source.close();
  return JSON.parse(text).motions[0].figures;
}

import { describe, expect, it } from 'vitest';
import { packData, unpackData } from '../../src/io/gltf/packed-data.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { SurfaceDriver } from '../../src/learn/drive.ts';
import { learn } from '../../src/learn/learn.ts';
import { predictorModel } from '../../src/learn/predictor-model.ts';
import { type Predictor, TRANSLATIONS, validatePredictor } from '../../src/model/predictor.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { fuzzReader } from '../io/fuzz.ts';
import { readGlb } from '../io/gltf/fixtures.ts';
import { bentTube, tubeMesh } from './bending-tube.ts';

/** One small predictor per way to find translations. */
async function smallPredictors(): Promise<Predictor[]> {
  const rest = tubeMesh(5, 4);
  const poses = [0, 0.8, 1.7].map((angle) => bentTube(rest, angle));
  const learned = TRANSLATIONS.map((translations) =>
    learn([memorySequence('bend', rest, poses)], { points: 2, bones: 3, translations }),
  );
  return (await Promise.all(learned)).map(({ predictor }) => predictor);
}

/** What was accepted can be run. */
function use(predictor: Predictor | undefined): void {
  if (!predictor) return;
  const driver = new SurfaceDriver(predictor);
  driver.drive(new Float64Array(3 * predictor.points.length).fill(0.5));
  driver.dispose();
}

describe('damaged predictors are refused or can be run', () => {
  it('as GLBs', async () => {
    const files = await Promise.all(
      (await smallPredictors()).map(
        async (predictor) => (await writeModelGlb(predictorModel(predictor), { predictor })).bytes,
      ),
    );
    const read = async (bytes: Uint8Array) => use((await readGlb(bytes)).predictors?.[0]);
    const counts = await fuzzReader('predictor', files, read, 2_000, 7);
    expect(counts.accepted).toBeGreaterThan(20);
    expect(counts.refused).toBeGreaterThan(200);
  });

  it('as packed data', async () => {
    const files = (await smallPredictors()).map(packData);
    const read = async (bytes: Uint8Array) => use(validatePredictor(unpackData(bytes), 'readGltf'));
    const counts = await fuzzReader('packed predictor', files, read, 3_000, 8);
    expect(counts.accepted).toBeGreaterThan(20);
    expect(counts.refused).toBeGreaterThan(200);
  });
});

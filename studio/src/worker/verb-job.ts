import { type Asset, emptyAsset } from '../../../src/index.ts';
import { browserPool } from '../../../src/platform/browser/index.ts';
import { asSequence } from '../core/content/content.ts';
import { withoutSequences } from './crossing.ts';
import type { AssetData, JobTable, VerbKind, Verbs } from './protocol.ts';

const assetFrom = ({ sequences = [], ...parts }: AssetData): Asset => ({
  ...emptyAsset('memory', 0),
  ...parts,
  sequences: sequences.map(asSequence),
});

/** A verb as a job: plain data in, plain data out. */
export function verbJob<V extends VerbKind>(verb: Verbs[V]): JobTable[V] {
  const call = verb as (asset: Asset, options: object) => Promise<object>;
  const job = async (
    { asset, options, threads }: { asset: AssetData; options: object; threads?: number },
    run: object,
  ) => {
    const pool = threads === undefined ? undefined : await browserPool(threads);
    try {
      return withoutSequences(await call(assetFrom(asset), { ...options, ...run, pool }));
    } finally {
      await pool?.close();
    }
  };
  return job as JobTable[V];
}

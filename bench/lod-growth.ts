// Processor time and peak memory of levels of detail as triangles and poses grow: the generated tube, five levels, one thread, each
// case in a process of its own. The case of a million triangles, in fewer poses, takes minutes.
//
//   node dist/bench/lod-growth.js [--large] [--write]

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sample } from '../src/index.ts';
import { lodSurface } from '../src/lod/lod.ts';
import { joinParts } from '../src/lod/parts.ts';
import { triangleCount } from '../src/model/mesh.ts';
import { choosePoses } from '../src/skin/choose-poses.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const { values } = parseArgs({
  options: { one: { type: 'string' }, large: { type: 'boolean' }, write: { type: 'boolean' } },
});

interface Grown {
  triangles: number;
  poses: number;
  /** Of the processor. */
  seconds: number;
  /** Share of the time that collapses take. */
  collapse: number;
  /** Most that the process had, MB; and before the levels were begun, with the surface in all its poses. */
  peak: number;
  before: number;
}

const mostMegabytes = (): number => Math.round(process.resourceUsage().maxRSS / 1024);

async function measure(resolution: number, poses: number): Promise<Grown> {
  const { models } = await sample('tube', { resolution, frames: 48 });
  const chosen = choosePoses(models, { poses, held: 0 });
  const { surface } = joinParts(models, chosen.poses);
  const before = mostMegabytes();
  const started = process.cpuUsage();
  const { report } = await lodSurface(surface, { levels: 5, poses });
  const { user, system } = process.cpuUsage(started);
  const { collapse = 0, fit = 0 } = report.seconds;
  return {
    triangles: triangleCount(surface.mesh),
    poses: chosen.poses.length,
    seconds: (user + system) / 1e6,
    collapse: collapse / (collapse + fit),
    peak: mostMegabytes(),
    before,
  };
}

if (values.one !== undefined) {
  const [resolution, poses] = values.one.split(',').map(Number);
  console.log(JSON.stringify(await measure(resolution, poses)));
} else compareAll();

/** The same in a process of its own. */
function inChild(resolution: number, poses: number): Grown {
  const args = [fileURLToPath(import.meta.url), '--one', `${resolution},${poses}`];
  const { stdout, status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`${resolution} vertices, ${poses} poses: exit code ${status}`);
  console.error(String(stdout).trim());
  return JSON.parse(String(stdout)) as Grown;
}

function compareAll(): void {
  const byTriangles = [1250, 5000, 50_000].map((n) => inChild(n, 16));
  const byPoses = [8, 32].map((poses) => inChild(2500, poses));
  const large = values.large ? [inChild(500_000, 4)] : [];
  const slope = (a: Grown, b: Grown, of: (grown: Grown) => number): string =>
    (Math.log(b.seconds / a.seconds) / Math.log(of(b) / of(a))).toFixed(2);
  const slopes = byTriangles.slice(1).map((each, q) => slope(byTriangles[q], each, ({ triangles }) => triangles));
  const rows = [...byTriangles, ...byPoses, ...large].map((each) => [
    ...[each.triangles, each.poses].map(String),
    ...[each.seconds.toFixed(1), each.collapse.toFixed(2)],
    ...[each.before, each.peak].map(String),
  ]);
  const head = ['triangles', 'poses', 'seconds of processor', 'share of the collapses', 'MB before', 'MB at most'];
  const text = `# Levels of detail: growth

Written by \`node dist/bench/lod-growth.js${values.large ? ' --large' : ''} --write\`. The generated tube, five levels, one thread; each row is a process. "Before": the
most it had while the tube was made, with all its poses. ${machine()}.

${markdownTable(head, rows)}

Log-log slopes of time: triangles ${slopes.join(', ')}; poses ${slope(byPoses[0], byPoses[1], ({ poses }) => poses)}.
`;
  if (values.write) writeResults('lod-growth', text);
  else console.log(text);
}

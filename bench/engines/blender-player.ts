import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binOf, glbOf, jsonOf } from './glb-file.ts';
import type { Moment } from './moments.ts';
import { ARMATURE_MOVE } from './moved-armature.ts';
import { fileForPlayers, nodeIndex, type Player, shownMeshes } from './player.ts';

/** The version of `blender`, or undefined where it is not installed. */
export function blenderVersion(): string | undefined {
  const { status, stdout } = spawnSync('blender', ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n')[0] : undefined;
}

interface Job {
  file: string;
  out: string;
  clip?: number;
  times: number[];
  move?: readonly number[];
}

/** A file to show, and when. */
export interface ShownFile {
  glb: Uint8Array;
  /** The file before its armature was moved: Blender does that itself. */
  unmoved?: Uint8Array;
  moments: readonly Moment[];
}

/** What Blender, started once, shows of files at rest and at the given moments: it imports every clip as a file of its own. */
export function blenderPlayers(files: readonly ShownFile[], script: string): Player[] {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-blender-'));
  try {
    const jobs = files.map((file, f) => jobsOf(file, join(folder, `${f}`)));
    writeFileSync(join(folder, 'jobs.json'), JSON.stringify(jobs.flat()));
    const args = ['-b', '--factory-startup', '-noaudio', '--python-exit-code', '1', '--python', script];
    const { status, stdout, stderr } = spawnSync('blender', [...args, '--', join(folder, 'jobs.json')], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    if (status !== 0) throw new Error(`blender failed:\n${stdout}\n${stderr}`);
    return files.map(({ glb }, f) => {
      const shown = new Map(jobs[f].map((job) => [job.clip, readJob(job, glb)]));
      const times = new Map(jobs[f].map((job) => [job.clip, job.times]));
      return {
        unused: unusedVertices(glb),
        async positions(clip, time) {
          return shown.get(clip)![time === undefined ? 0 : times.get(clip)!.indexOf(time)];
        },
      };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes the file for each of its clips and for none, under names that begin with `stem`. */
function jobsOf({ glb, unmoved, moments }: ShownFile, stem: string): Job[] {
  const clips = [undefined, ...new Set(moments.map(({ clip }) => clip))];
  return clips.map((clip, j): Job => {
    const file = `${stem}-${j}.glb`;
    writeFileSync(file, oneClip(unmoved ?? glb, clip));
    const times = moments.filter((moment) => moment.clip === clip).map(({ time }) => time);
    return { file, out: `${stem}-${j}.bin`, clip, times, ...(unmoved && { move: ARMATURE_MOVE }) };
  });
}

/** The file with no clip but this one. */
function oneClip(glb: Uint8Array, clip: number | undefined): Uint8Array {
  const json = jsonOf(fileForPlayers(glb, { materials: true }));
  const kept = clip === undefined ? [] : [json.animations![clip]];
  if (kept.length > 0) json.animations = kept;
  else delete json.animations;
  return glbOf(json, binOf(glb));
}

/** Of each node with a mesh, the vertices of all its primitives that no triangle has: Blender leaves them out. */
function unusedVertices(glb: Uint8Array): Map<number, Set<number>> {
  const json = jsonOf(glb);
  const bin = binOf(glb);
  const indicesOf = (accessor: number): ArrayLike<number> => {
    const { bufferView, byteOffset = 0, count, componentType } = json.accessors![accessor];
    const at = (json.bufferViews![bufferView!].byteOffset ?? 0) + byteOffset;
    const Kind = { 5121: Uint8Array, 5123: Uint16Array, 5125: Uint32Array }[componentType as 5121]!;
    return new Kind(bin.slice(at, at + count * Kind.BYTES_PER_ELEMENT).buffer);
  };
  return new Map(
    shownMeshes(glb).map((node) => {
      const unused = new Set<number>();
      let first = 0;
      for (const { attributes, indices } of json.meshes![json.nodes![node].mesh!].primitives) {
        const { count } = json.accessors![attributes.POSITION];
        if (indices !== undefined) {
          const used = new Set(Array.from(indicesOf(indices)));
          for (let i = 0; i < count; i++) if (!used.has(i)) unused.add(first + i);
        }
        first += count;
      }
      return [node, unused];
    }),
  );
}

function readJob({ out, times }: Job, glb: Uint8Array): Map<number, Float32Array>[] {
  const objects: { name: string; vertices: number }[] = JSON.parse(readFileSync(`${out}.json`, 'utf8'));
  const bytes = readFileSync(out);
  const unused = unusedVertices(glb);
  let at = 0;
  return Array.from({ length: Math.max(1, times.length) }, () => {
    const found = new Map<number, Float32Array>();
    for (const { name, vertices } of objects) {
      const positions = new Float32Array(
        bytes.buffer.slice(bytes.byteOffset + at, bytes.byteOffset + at + 12 * vertices),
      );
      at += 12 * vertices;
      const node = nodeIndex(name);
      if (unused.has(node)) found.set(node, spread(positions, unused.get(node)!));
    }
    return found;
  });
}

/** With a hole for every vertex that was left out. */
function spread(positions: Float32Array, unused: ReadonlySet<number>): Float32Array {
  const out = new Float32Array(positions.length + 3 * unused.size).fill(Number.NaN);
  let from = 0;
  for (let i = 0; i < out.length / 3; i++) {
    if (unused.has(i)) continue;
    out.set(positions.subarray(from, from + 3), 3 * i);
    from += 3;
  }
  return out;
}

import { PliantError } from '../error.ts';
import { multiplyQuaternions, normalizeQuaternion, quaternionFromAxisAngle } from '../math/quaternion.ts';
import { skinTransforms } from '../math/trs.ts';
import type { Motion } from '../model/asset.ts';
import { type Note, note } from '../model/note.ts';
import { type Clip, LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../model/skeleton.ts';
import { type ByteSource, readAll } from './files.ts';
import { stem } from './paths.ts';
import { TextScanner } from './text-scanner.ts';

/**
 * BVH of Biovision: a hierarchy of offsets, then one line of channel values per frame. Rotations are multiplied in the
 * order in which a joint lists its channels (R = R₁·R₂·R₃, the last applied first). A position channel replaces that
 * component of the offset: exporters that give every joint six channels repeat the offset there. End sites become leaf
 * bones named after their parent with `_end`, so that the last bones keep their length. Units are kept.
 */
const OPERATION = 'readBvh';

/** Bones × frames that are read at most: 1.5 GB of poses and matrices. */
const MOST_POSES = 2 ** 24;
const MOST_BONES = 65535;

interface Channel {
  bone: number;
  kind: 'position' | 'rotation';
  axis: 0 | 1 | 2;
}

/** The skeleton and the one clip of a BVH file. */
export async function readBvh(source: ByteSource, notes: Note[] = []): Promise<Motion> {
  const scanner = new TextScanner(await readAll(source, OPERATION), OPERATION, source.name);
  const name = stem(source.name);
  const { skeleton, channels } = readHierarchy(scanner);
  const { times, locals } = readMotion(scanner, skeleton, channels);
  if (times.length === 0) {
    notes.push(note('no-frames', {}));
    return { name, skeleton, clips: [] };
  }
  const transforms = skinTransforms(skeleton.parents, skeleton.inverseBind, locals);
  const far = transforms.findIndex((value) => !Number.isFinite(value));
  if (far >= 0) {
    const frame = Math.floor(far / (MATRIX_STRIDE * skeleton.parents.length));
    scanner.fail(`a transform of frame ${frame} is not finite (expected smaller offsets)`);
  }
  const clip: Clip = { name, times, locals, transforms };
  return { name, skeleton, clips: [clip] };
}

function expectWord(scanner: TextScanner, expected: RegExp, what: string): string {
  scanner.skipSpace();
  const at = scanner.pos;
  const word = scanner.word();
  if (!expected.test(word)) scanner.unexpected(what, at);
  return word;
}

const CHANNEL = /^([XYZ])(position|rotation)$/i;

/** HIERARCHY: bones in the order of the file, which puts parents first, and all channels in the order of the columns. */
function readHierarchy(scanner: TextScanner): { skeleton: Skeleton; channels: Channel[] } {
  const names: string[] = [];
  const parents: number[] = [];
  const offsets: number[] = [];
  const channels: Channel[] = [];
  /** The bones whose braces are open. */
  const open: number[] = [];
  const openBone = (name: string): void => {
    if (names.length === MOST_BONES) scanner.fail(`more than ${MOST_BONES} bones`);
    parents.push(open.at(-1) ?? -1);
    open.push(names.length);
    names.push(name);
    expectWord(scanner, /^\{$/, '{');
    expectWord(scanner, /^OFFSET$/i, 'OFFSET');
    for (let c = 0; c < 3; c++) offsets.push(scanner.number('an offset'));
  };

  expectWord(scanner, /^HIERARCHY$/i, 'HIERARCHY');
  for (;;) {
    const word = expectWord(
      scanner,
      open.length > 0 ? /^(JOINT|End|CHANNELS|\})$/i : /^(ROOT|MOTION)$/i,
      open.length > 0 ? 'JOINT, End Site, CHANNELS or }' : 'ROOT or MOTION',
    ).toUpperCase();
    if (word === 'MOTION') break;
    if (word === '}') open.pop();
    else if (word === 'CHANNELS') readChannels(scanner, open.at(-1)!, channels);
    else if (word === 'END') {
      expectWord(scanner, /^Site$/i, 'Site');
      openBone(`${names[open.at(-1)!]}_end`);
    } else openBone(readName(scanner));
  }
  if (names.length === 0) scanner.fail('no bones (expected ROOT)');

  const bones = names.length;
  const restLocals = new Float32Array(LOCAL_STRIDE * bones);
  const inverseBind = new Float32Array(MATRIX_STRIDE * bones);
  const heads = new Float64Array(3 * bones);
  for (let j = 0; j < bones; j++) {
    restLocals.set([...offsets.slice(3 * j, 3 * j + 3), 0, 0, 0, 1, 1, 1, 1], LOCAL_STRIDE * j);
    // At rest nothing is turned: the inverse of the world matrix only moves back.
    for (let c = 0; c < 3; c++) {
      heads[3 * j + c] = offsets[3 * j + c] + (parents[j] >= 0 ? heads[3 * parents[j] + c] : 0);
      inverseBind[MATRIX_STRIDE * j + 5 * c] = 1;
      inverseBind[MATRIX_STRIDE * j + 4 * c + 3] = -heads[3 * j + c];
    }
  }
  if (!inverseBind.every(Number.isFinite)) scanner.fail('offsets exceed the range of float32');
  return { skeleton: { names, parents: Int32Array.from(parents), restLocals, inverseBind }, channels };
}

/** The rest of the line, which may end in the brace; names may contain blanks. */
function readName(scanner: TextScanner): string {
  const line = scanner.restOfLine();
  if (!line.endsWith('{')) return line;
  scanner.pos = scanner.bytes.lastIndexOf(0x7b, scanner.pos);
  return line.slice(0, -1).trim();
}

function readChannels(scanner: TextScanner, bone: number, channels: Channel[]): void {
  const count = scanner.integer('the number of channels', 0, 9);
  for (let c = 0; c < count; c++) {
    const [, axis, kind] = CHANNEL.exec(expectWord(scanner, CHANNEL, 'a channel such as Zrotation'))!;
    channels.push({
      bone,
      kind: kind.toLowerCase() as Channel['kind'],
      axis: 'XYZ'.indexOf(axis.toUpperCase()) as Channel['axis'],
    });
  }
}

/** MOTION: the times (P, seconds) and local poses (10·B·P). */
function readMotion(
  scanner: TextScanner,
  skeleton: Skeleton,
  channels: readonly Channel[],
): { times: Float64Array; locals: Float32Array } {
  const bones = skeleton.parents.length;
  expectWord(scanner, /^Frames:$/i, 'Frames:');
  const frameCount = scanner.integer('the number of frames', 0, 2 ** 31);
  expectWord(scanner, /^Frame$/i, 'Frame Time:');
  expectWord(scanner, /^Time:$/i, 'Frame Time:');
  const frameTime = scanner.number('the frame time');
  if (!(frameTime > 0)) scanner.fail(`frame time ${frameTime} (expected > 0 seconds)`);

  // Checked before allocating: a value takes two bytes, and bones without channels cost memory too.
  const remaining = scanner.bytes.length - scanner.pos;
  if (frameCount > 0 && 2 * frameCount * Math.max(1, channels.length) > remaining) {
    const expected = `${frameCount} lines of ${channels.length} numbers`;
    scanner.fail(`file ends early (expected ${expected} after this line)`);
  }
  if (frameCount * bones > MOST_POSES) {
    const cause = `${bones} bones × ${frameCount} frames (expected at most ${MOST_POSES} in all)`;
    throw new PliantError('too-large', OPERATION, cause, { file: scanner.file });
  }

  const times = Float64Array.from({ length: frameCount }, (_, k) => k * frameTime);
  const locals = new Float32Array(LOCAL_STRIDE * bones * frameCount);
  const rotations = new Float64Array(4 * bones);
  const turn = new Float64Array(4);
  for (let k = 0; k < frameCount; k++) {
    const frame = k * LOCAL_STRIDE * bones;
    locals.set(skeleton.restLocals, frame);
    for (let j = 0; j < bones; j++) rotations.set([0, 0, 0, 1], 4 * j);
    for (const { bone, kind, axis } of channels) {
      scanner.skipSpace();
      const value = scanner.number('a channel');
      if (kind === 'position') {
        locals[frame + LOCAL_STRIDE * bone + axis] = value;
      } else {
        const angle = (value * Math.PI) / 180;
        quaternionFromAxisAngle(turn, 0, Number(axis === 0), Number(axis === 1), Number(axis === 2), angle);
        multiplyQuaternions(rotations, 4 * bone, rotations, 4 * bone, turn, 0);
      }
    }
    for (let j = 0; j < bones; j++) {
      normalizeQuaternion(rotations, 4 * j);
      locals.set(rotations.subarray(4 * j, 4 * j + 4), frame + LOCAL_STRIDE * j + 3);
    }
  }
  return { times, locals };
}

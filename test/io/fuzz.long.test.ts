import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../src/io/files.ts';
import { readAlembic } from '../../src/io/read-alembic.ts';
import { readAsset } from '../../src/io/read-asset.ts';
import { readBvh } from '../../src/io/read-bvh.ts';
import { readCollada } from '../../src/io/read-collada.ts';
import { readEnvironment } from '../../src/io/read-environment.ts';
import { readMdd } from '../../src/io/read-mdd.ts';
import { readObj } from '../../src/io/read-obj.ts';
import { readOff } from '../../src/io/read-off.ts';
import { readPc2 } from '../../src/io/read-pc2.ts';
import { readPly } from '../../src/io/read-ply.ts';
import type { Asset } from '../../src/model/asset.ts';
import { validateEnvironment } from '../../src/model/environment.ts';
import { validateMesh } from '../../src/model/mesh.ts';
import { validateSequence } from '../../src/model/sequence.ts';
import { validateClip, validateSkeleton } from '../../src/model/skeleton.ts';
import { validateModel } from '../../src/model/skinned-model.ts';
import { addMesh, addXform, archiveOf, fullArchive } from './alembic/fixtures.ts';
import { mddFile, pc2File } from './cache-fixtures.ts';
import { channel, colladaFile, fileWithEffect } from './collada/fixtures.ts';
import { fuzzReader } from './fuzz.ts';
import { hdrFile, oldRow, packedRow } from './hdr-file.ts';
import { plyFile } from './ply/fixtures.ts';
import { bytesOf, memoryFiles } from './support.ts';

const COUNT = 3_000;
const SEED = 2010;

const OBJ = bytesOf(`# comment
o thing
v 0 0 0
v 1 0 0
v 1.5 1e-1 0
v 0 1 -2.25 0.5 0.5 0.5
v 2 2 2
vt 0 0
vt 1 0.5
vn 0 0 1
g left
usemtl red
f 1/1/1 2/2/1 3/1/1 4/2/1
s 1
g right
usemtl blue
f -5//1 -4//1 \\
 -1//1
f 1 2 3 4 5
l 1 2
`);

const OFF = [
  'OFF\n5 3 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n2 2 2\n4 0 1 2 3\n3 0 1 4 255 0 0\n5 0 1 2 4 3\n',
  'STCNOFF # c\n3 1 0\n0 0 0 0 0 1 1 0 0 1 0 0\n1 0 0 0 0 1 1 0 0 1 1 0\n0 1 0 0 0 1 1 0 0 1 0 1\n3 0 1 2\n',
].map(bytesOf);

const PLY = ['ascii', 'binary_little_endian', 'binary_big_endian'].map((format) =>
  plyFile(format, {
    extra: [{ type: 'short', countType: 'uchar', name: 'list', rows: [[1, 2], []] }],
    vertex: ['x', 'y', 'z', 'nx', 'ny', 'nz', 's', 't', 'quality'].map((name, c) => ({
      type: c % 2 ? 'float' : 'double',
      name,
      rows: [0, 1, 2, 3, 4].map((i) => Math.sin(7 * i + c)),
    })),
    face: [
      {
        type: 'int',
        countType: 'uchar',
        name: 'vertex_indices',
        rows: [
          [0, 1, 2],
          [0, 2, 3, 4],
          [4, 3, 2, 1, 0],
        ],
      },
      { type: 'uchar', name: 'flags', rows: [1, 2, 3] },
      {
        type: 'float',
        countType: 'uchar',
        name: 'texcoord',
        rows: [[0, 0, 1, 0, 1, 1], [], [0, 0, 1, 0, 1, 1, 0.5, 0.5, 0, 1]],
      },
    ],
  }),
);

const BVH = bytesOf(`HIERARCHY
ROOT Hips
{
  OFFSET 0 10 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Arm
  {
    OFFSET 2 0 0
    CHANNELS 3 Yrotation Zrotation Xrotation
    End Site
    {
      OFFSET 3 0 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.04
0 10 0 0 0 0 0 0 0
1 20 3 90 0 0 90 30 10
-1.5 2e1 3 -90 0 720 0.1 30 10
`);

const CURVE = channel('bend', 'tip/translate.Y', [0, 1, 2], 1, [0, 1, 4], ['BEZIER', 'HERMITE', 'STEP'], {
  width: 2,
  into: [0, 0, 0.6, 1, 1.5, 1],
  out: [0.4, 0, 1.5, 3, 2, 4],
});

const FRAMES = [0, 1, 2].map((k) => Array.from({ length: 9 }, (_, c) => Math.sin(k + c)));
const CACHED_MESH = { positions: new Float32Array(9), triangles: Uint32Array.of(0, 1, 2) };

/** Everything in one archive; and so little that mutations often meet what matters. */
const ALEMBIC = [
  await fullArchive(),
  await archiveOf(async (top) => {
    await addMesh(await addXform(top, 'x'), 'm', {
      frames: [0, 1, 2].map((z) => [0, 0, z, 1, 0, z, 1, 1, z, 0, 1, z]),
    });
  }),
];

const HDR_ROW = Uint8Array.from({ length: 4 * 12 }, (_, c) => (c % 4 === 3 ? 130 : 5 + 60 * Math.floor(c / 20)));
const HDR = [
  hdrFile('-Y 2 +X 12', [HDR_ROW, HDR_ROW]),
  hdrFile('-Y 2 +X 12', [HDR_ROW, HDR_ROW].map(packedRow), ['EXPOSURE=2']),
  hdrFile('+X 2 +Y 12', [HDR_ROW, HDR_ROW].map(oldRow)),
];
const EXR = ['none-half', 'rle-half', 'zip-half', 'piz-half', 'pxr24-half'].map((name) =>
  Uint8Array.from(readFileSync(new URL(`fixtures/${name}.exr`, import.meta.url))),
);

async function checkAsset(asset: Asset): Promise<void> {
  for (const mesh of asset.meshes) validateMesh(mesh);
  for (const sequence of asset.sequences) await validateSequence(sequence);
  for (const model of asset.models) validateModel(model);
  for (const { skeleton, clips } of asset.motions) {
    validateSkeleton(skeleton);
    for (const clip of clips) validateClip(clip, skeleton.parents.length);
  }
}

const READERS: Record<string, [Uint8Array[], (bytes: Uint8Array) => Promise<unknown>]> = {
  OBJ: [[OBJ], async (bytes) => validateMesh(await readObj(memorySource('a.obj', bytes)))],
  OFF: [OFF, async (bytes) => validateMesh(await readOff(memorySource('a.off', bytes)))],
  PLY: [PLY, async (bytes) => validateMesh(await readPly(memorySource('a.ply', bytes)))],
  PC2: [[pc2File(FRAMES)], async (bytes) => validateSequence(await readPc2(memorySource('a.pc2', bytes), CACHED_MESH))],
  'PC2 without a mesh': [
    [pc2File(FRAMES)],
    async (bytes) => validateSequence(await readPc2(memorySource('a.pc2', bytes))),
  ],
  MDD: [
    [mddFile(FRAMES, [0, 0.5, 1])],
    async (bytes) => validateSequence(await readMdd(memorySource('a.mdd', bytes), CACHED_MESH)),
  ],
  'MDD without a mesh': [
    [mddFile(FRAMES, [0, 0.5, 1])],
    async (bytes) => validateSequence(await readMdd(memorySource('a.mdd', bytes))),
  ],
  BVH: [
    [BVH],
    async (bytes) => {
      const { skeleton, clips } = await readBvh(memorySource('a.bvh', bytes));
      validateSkeleton(skeleton);
      for (const clip of clips) validateClip(clip, skeleton.parents.length);
    },
  ],
  Alembic: [ALEMBIC, async (bytes) => checkAsset(await readAlembic(memorySource('a.abc', bytes)))],
  COLLADA: [
    [
      colladaFile(),
      fileWithEffect(`<emission><color>0 0.5 1 1</color></emission><diffuse><texture texture="p"/></diffuse>
<transparent opaque="A_ONE"><color>1 1 1 1</color></transparent><transparency><float>0.25</float></transparency>`),
      colladaFile({ instance: '<instance_geometry url="#strip-mesh"/>' }),
      colladaFile({ animations: `<library_animations>${CURVE}</library_animations>` }),
    ].map(bytesOf),
    async (bytes) => checkAsset(await readCollada(memorySource('a.dae', bytes))),
  ],
  'Radiance and OpenEXR': [
    [...HDR, ...EXR],
    async (bytes) => validateEnvironment(await readEnvironment(memorySource('a.hdr', bytes))),
  ],
  'a file of any kind': [
    [OBJ, ...OFF, ...PLY, BVH, ...ALEMBIC, pc2File(FRAMES), mddFile(FRAMES, [0, 0.5, 1])],
    async (bytes) => checkAsset(await readAsset(memoryFiles({ file: bytes }), ['file'])),
  ],
  'a frame of a sequence': [
    [OBJ],
    async (bytes) => checkAsset(await readAsset(memoryFiles({ 'f/1.obj': OBJ, 'f/2.obj': bytes }), ['f'])),
  ],
};

describe.each(Object.entries(READERS))(`${COUNT} mutations (seed ${SEED}) of %s`, (name, [files, read]) => {
  it('end in a valid result or in a PliantError that blames the file', async () => {
    const counts = await fuzzReader(name, files, read, COUNT, SEED);
    // Both must happen, or nothing was tested.
    expect(counts.accepted).toBeGreaterThan(COUNT / 500);
    expect(counts.refused).toBeGreaterThan(COUNT / 50);
  });
});

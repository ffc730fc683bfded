import { EXTMeshoptCompression } from '@gltf-transform/extensions';
import { Matrix4 } from 'three';
import { WILD_NODES } from './wild-nodes.ts';
import { KINDS, rig, TIMES, TURN, type WildFile } from './wild-rig.ts';

/** Small files of every kind that exporters write. Node names are unique within a file. */
export const WILD_FILES: WildFile[] = [
  {
    name: 'several skinned meshes, a skin each',
    make(wild) {
      for (const prefix of ['left', 'right', 'hat']) {
        const { joints } = rig(wild, prefix, {}, wild.node(`${prefix}root`, { translation: [prefix.length, -1, 2] }));
        wild.dance(`${prefix} dance`, joints, TIMES);
      }
    },
  },
  {
    name: 'several meshes that share a skin, one of them with several primitives',
    make(wild) {
      const { joints, skin } = rig(wild);
      wild
        .node('coat')
        .setSkin(skin)
        .setMesh(wild.mesh('coat', { influences: 4, primitives: 3 }));
      wild
        .node('shoes')
        .setSkin(skin)
        .setMesh(wild.mesh('shoes', { influences: 4, mode: 'soup' }));
      wild.dance('dance', joints, TIMES);
    },
  },
  {
    name: 'one mesh on two skins',
    make(wild) {
      const first = rig(wild, 'first');
      const joints = wild.chain('second', 3, wild.node('beside', { translation: [4, 0, 0], rotation: TURN }));
      wild.node('twin').setSkin(wild.skin(joints)).setMesh(first.body.getMesh());
      wild.dance('one', first.joints, TIMES);
      wild.dance('other', joints, [0.5, 2]);
    },
  },
  ...KINDS.map(
    (kind): WildFile => ({
      name: `morphs on a skin, weights and joints by ${kind} tracks`,
      tolerance: kind === 'CUBICSPLINE' ? 2e-3 : undefined,
      make(wild) {
        const { joints, body } = rig(wild, '', { targets: 2, primitives: 2 });
        wild.dance('both', joints, TIMES, kind);
        const times = [0.1, 0.5, 0.8];
        const weights = wild.numbers(times.length * 2 * (kind === 'CUBICSPLINE' ? 3 : 1), 0.8);
        wild.track(wild.document.getRoot().listAnimations()[0], body, 'weights', times, weights, {
          interpolation: kind,
        });
      },
    }),
  ),
  {
    name: 'morphs with defaults, of the mesh and of the node, that only one clip changes',
    make(wild) {
      const { joints, body } = rig(wild, '', { targets: 2 });
      body.getMesh()!.setWeights([0.5, -0.25]);
      const other = wild.node('other').setSkin(body.getSkin()).setMesh(body.getMesh()).setWeights([-1, 0.75]);
      wild.dance('bones only', joints, TIMES);
      const talk = wild.animation('talk');
      wild.track(talk, other, 'weights', [0, 1], Float32Array.of(0, 0, 1, 0.5));
    },
  },
  ...(['absent', 'root', 'joint'] as const).map(
    (skeleton): WildFile => ({
      name: `joints below turned and scaled nodes, with nodes between them; skin.skeleton ${skeleton}`,
      make(wild) {
        const world = wild.node('world', { translation: [1, 2, 3], rotation: TURN, scale: [0.01, 0.01, 0.01] });
        const armature = wild.node('armature', { rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] }, world);
        const [first] = wild.chain('lower', 1, armature);
        const between = wild.node('between', { translation: [0, 0.5, 0.2], rotation: TURN, scale: [2, 2, 2] }, first);
        const joints = [first, ...wild.chain('upper', 2, between)];
        const skin = wild.skin(joints);
        if (skeleton === 'root') skin.setSkeleton(armature);
        if (skeleton === 'joint') skin.setSkeleton(first);
        wild
          .node('body', { translation: [9, 9, 9], scale: [3, 3, 3] }, armature)
          .setSkin(skin)
          .setMesh(wild.mesh('body', { influences: 4 }));
        wild.dance('dance', joints, TIMES);
        const lift = wild.animation('lift');
        wild.track(lift, armature, 'translation', [0, 2], Float32Array.of(0, 0, 0, 50, 20, 10));
        wild.track(lift, between, 'rotation', [0.5, 1.5], wild.turns(2));
      },
    }),
  ),
  {
    name: 'a different interpolation for every track of a clip',
    tolerance: 2e-3,
    make(wild) {
      const { joints } = rig(wild);
      const animation = wild.animation('mixed');
      wild.track(animation, joints[0], 'rotation', TIMES, wild.turns(4), { interpolation: 'STEP' });
      wild.track(animation, joints[0], 'translation', [0.1, 0.7], wild.numbers(18, 1), {
        interpolation: 'CUBICSPLINE',
      });
      wild.track(animation, joints[1], 'rotation', [0, 1], wild.turns(2));
      wild.track(animation, joints[2], 'rotation', [0.2, 0.9], wild.turns(2, true), { interpolation: 'CUBICSPLINE' });
      wild.track(animation, joints[2], 'scale', [0.3, 0.5, 0.6], wild.numbers(9, 0.5, 1), { interpolation: 'STEP' });
    },
  },
  {
    name: 'normalised integers as outputs of tracks',
    make(wild) {
      const { joints, body } = rig(wild, '', { targets: 2 });
      const animation = wild.animation('integers');
      const i16 = Int16Array.from(wild.turns(4), (x) => Math.round(32767 * x));
      // three.js does not bring quaternions to length 1, as few of 8 bits have: half turns do.
      const i8 = Int8Array.of(0, 0, 0, 127, 127, 0, 0, 0, 0, 127, 0, 0, 0, 0, 127, 0);
      wild.track(animation, joints[0], 'rotation', TIMES, i16, { normalized: true });
      wild.track(animation, joints[1], 'rotation', TIMES, i8, { normalized: true });
      const u8 = Uint8Array.of(0, 255, 255, 0, 128, 64, 10, 20);
      wild.track(animation, body, 'weights', TIMES, u8, { normalized: true });
    },
  },
  {
    name: 'several clips, of different lengths, with starts that are not 0, and of some joints only',
    make(wild) {
      const { joints } = rig(wild);
      const second = rig(wild, 'second');
      wild.dance('early', [joints[0]], [0, 1.5]);
      wild.dance('late', [joints[2]], [2, 2.5, 4]);
      wild.dance('very late', [second.joints[1]], [100, 100.04, 100.08]);
      wild.dance('one key', [joints[1]], [0.5]);
      const odd = wild.animation('odd starts');
      wild.track(odd, joints[1], 'rotation', [1, 2], wild.turns(2));
      wild.track(odd, second.joints[2], 'rotation', [0.5, 3], wild.turns(2));
    },
  },
  {
    name: 'eight influences per vertex',
    make(wild) {
      const joints = wild.chain('joint', 6);
      const mesh = wild.mesh('body', { influences: 8, joints: 6 });
      wild.node('body').setSkin(wild.skin(joints)).setMesh(mesh);
      wild.dance('dance', joints, TIMES);
    },
  },
  {
    name: 'KHR_mesh_quantization, undone by a node and by inverse bind matrices',
    make(wild) {
      wild.node('whole', { scale: [1e-3, 1e-3, 1e-3] }).setMesh(wild.mesh('whole', { positions: 'i16' }));
      const joints = wild.chain('joint', 3);
      const mesh = wild.mesh('body', { influences: 4, positions: 'normalized', targets: 1 });
      const body = wild
        .node('body')
        .setSkin(wild.skin(joints, new Matrix4().makeScale(10, 10, 10)))
        .setMesh(mesh);
      wild.dance('dance', joints, TIMES);
      const talk = wild.animation('talk');
      wild.track(talk, body, 'weights', [0, 1], Float32Array.of(0, 0.1));
    },
  },
  ...(['EXT', 'KHR'] as const).map(
    (prefix): WildFile => ({
      name: `${prefix}_meshopt_compression`,
      make(wild) {
        wild.document.createExtension(EXTMeshoptCompression).setRequired(true);
        const { joints } = rig(wild, '', { targets: 1 });
        wild.node('still').setMesh(wild.mesh('still', { primitives: 2 }));
        wild.dance('dance', joints, TIMES);
      },
      edit(json) {
        const renamed = JSON.stringify(json).replaceAll('EXT_meshopt', `${prefix}_meshopt`);
        Object.assign(json, JSON.parse(renamed));
      },
    }),
  ),
  ...WILD_NODES,
];

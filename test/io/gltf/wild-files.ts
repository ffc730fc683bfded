import type { GLTF, Node, Skin } from '@gltf-transform/core';
import { EXTMeshoptCompression, KHRLightsPunctual } from '@gltf-transform/extensions';
import { Matrix4, Quaternion, Vector3 } from 'three';

import type { MeshShape, Turn, Wild } from './wild.ts';

/** Small files of every kind that exporters write. Node names are unique within a file. */

export interface WildFile {
  name: string;
  make(wild: Wild): void;
  /** What glTF-Transform cannot say. */
  edit?(json: GLTF.IGLTF): void;
  /** Largest distance to three.js, as a fraction of the diagonal, between keys too. */
  tolerance?: number;
}

const TURN: Turn = [0.1, 0.3, -0.2, Math.sqrt(1 - 0.14)];
const TIMES = [0, 0.25, 0.6, 1];

/** A joint chain with a skinned ribbon. */
function rig(
  wild: Wild,
  prefix = '',
  shape: MeshShape = {},
  parent?: Node,
): { joints: Node[]; body: Node; skin: Skin } {
  const joints = wild.chain(`${prefix}joint`, 3, parent);
  const skin = wild.skin(joints);
  const body = wild.node(`${prefix}body`).setSkin(skin);
  return { joints, skin, body: body.setMesh(wild.mesh(`${prefix}body`, { influences: 4, ...shape })) };
}

const KINDS = ['LINEAR', 'STEP', 'CUBICSPLINE'] as const;

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
    name: 'a mesh in its own space: z up, centimetres',
    make(wild) {
      const joints = wild.chain('joint', 3);
      const toScene = new Matrix4().makeRotationX(-Math.PI / 2).multiply(new Matrix4().makeScale(0.3, 0.3, 0.3));
      wild
        .node('body')
        .setSkin(wild.skin(joints, toScene))
        .setMesh(wild.mesh('body', { influences: 4 }));
      wild.dance('dance', joints, TIMES);
    },
  },
  {
    name: 'joints with scales, also uneven and negative, at rest and in motion',
    make(wild) {
      const { joints } = rig(wild, '', {}, wild.node('mirror', { scale: [-1, 1, 1], rotation: TURN }));
      joints[1].setScale([1.5, 0.5, -2]);
      const grow = wild.animation('grow');
      for (const joint of joints.slice(0, 2)) wild.track(grow, joint, 'scale', TIMES, wild.numbers(12, 0.8, 1));
      wild.track(grow, joints[0], 'rotation', TIMES, wild.turns(4));
      wild.track(grow, joints[2], 'scale', [0, 1], Float32Array.of(1, 1, 1, -1, -1.5, 0.5));
    },
  },
  {
    name: 'still meshes below scaled nodes, also uneven and negative',
    make(wild) {
      const parent = wild.node('parent', { rotation: TURN, scale: [1, -2, 0.5], translation: [1, 0, 0] });
      wild.node('child', { rotation: TURN, scale: [0.5, 3, 1] }, parent).setMesh(wild.mesh('child'));
      wild.node('mirrored', { scale: [-1, -1, -1] }, parent).setMesh(wild.mesh('mirrored', { targets: 1 }));
      const talk = wild.animation('talk');
      const mirrored = parent.listChildren()[1];
      wild.track(talk, mirrored, 'weights', [0, 1, 2], Float32Array.of(0, 1, -1));
    },
  },
  ...KINDS.map(
    (kind): WildFile => ({
      name: `objects below animated nodes that are no joints, by ${kind} tracks`,
      tolerance: kind === 'CUBICSPLINE' ? 2e-3 : undefined,
      make(wild) {
        const cubic = kind === 'CUBICSPLINE' ? 3 : 1;
        const rotor = wild.node('rotor', { scale: [2, 1, 0.5] });
        const empty = wild.node('empty', { rotation: TURN, translation: [1, 1, 0] }, rotor);
        wild.node('blade', { scale: [1, -1, 1] }, empty).setMesh(wild.mesh('blade', { primitives: 2 }));
        wild.node('face', {}, empty).setMesh(wild.mesh('face', { targets: 2 }));
        wild.node('stand').setMesh(wild.mesh('stand'));
        const spin = wild.animation('spin');
        const options = { interpolation: kind };
        wild.track(spin, rotor, 'rotation', TIMES, wild.turns(4, cubic === 3), options);
        wild.track(spin, rotor, 'translation', [0.3, 0.9], wild.numbers(6 * cubic, 2), options);
        wild.track(spin, empty, 'scale', [0.2, 0.4, 1.5], wild.numbers(9 * cubic, 0.5, 1), options);
        const talk = wild.animation('talk');
        const face = empty.listChildren()[1];
        wild.track(talk, face, 'weights', [0, 0.7, 1], wild.numbers(6 * cubic, 1), options);
      },
    }),
  ),
  ...KINDS.map(
    (kind): WildFile => ({
      name: `morphs of still nodes by ${kind} tracks, two nodes in one clip`,
      tolerance: kind === 'CUBICSPLINE' ? 2e-3 : undefined,
      make(wild) {
        const cubic = kind === 'CUBICSPLINE' ? 3 : 1;
        const a = wild.node('a', { rotation: TURN }).setMesh(wild.mesh('a', { targets: 2, sparse: true }));
        const b = wild.node('b').setMesh(wild.mesh('b', { targets: 1 }));
        b.getMesh()!.setWeights([0.5]);
        const talk = wild.animation('talk');
        wild.track(talk, a, 'weights', TIMES, wild.numbers(8 * cubic, 1), { interpolation: kind });
        wild.track(talk, b, 'weights', [0.5, 2], wild.numbers(2 * cubic, 1), { interpolation: kind });
        const sing = wild.animation('sing');
        wild.track(sing, a, 'weights', [1, 3], wild.numbers(4 * cubic, 1), { interpolation: kind });
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
    name: 'nodes that are given by matrices',
    make(wild) {
      const root = wild.node('root', { translation: [1, 2, 3], rotation: TURN, scale: [2, 3, -1] });
      const { joints } = rig(wild, '', {}, root);
      for (const joint of joints.slice(1)) joint.setRotation(TURN);
      wild.node('still', { rotation: TURN, scale: [1, 2, 3] }, root).setMesh(wild.mesh('still'));
      wild.dance('dance', [joints[1]], TIMES);
    },
    edit(json) {
      const moved = new Set(json.animations!.flatMap(({ channels }) => channels.map(({ target }) => target.node!)));
      for (const [n, node] of json.nodes!.entries()) {
        if (moved.has(n)) continue;
        const { translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] } = node;
        const matrix = new Matrix4().compose(
          new Vector3().fromArray(translation),
          new Quaternion().fromArray(rotation),
          new Vector3().fromArray(scale),
        );
        delete node.translation;
        delete node.rotation;
        delete node.scale;
        node.matrix = matrix.toArray();
      }
    },
  },
  ...(['soup', 'strip', 'fan'] as const).map(
    (mode): WildFile => ({
      name: `primitives without indices: ${mode}`,
      make(wild) {
        const { joints } = rig(wild, '', { mode });
        wild.node('still', { rotation: TURN }).setMesh(wild.mesh('still', { mode }));
        wild.dance('dance', joints, TIMES);
      },
    }),
  ),
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
    name: 'several scenes, of which the second is shown',
    make(wild) {
      const { joints } = rig(wild);
      const shown = wild.document.createScene('shown');
      for (const node of wild.scene.listChildren()) {
        wild.scene.removeChild(node);
        shown.addChild(node);
      }
      wild.node('elsewhere').setMesh(wild.mesh('elsewhere'));
      wild.document.getRoot().setDefaultScene(shown);
      wild.dance('dance', joints, TIMES);
    },
  },
  {
    name: 'cameras, lights and empty nodes in between',
    make(wild) {
      const lights = wild.document.createExtension(KHRLightsPunctual);
      const camera = wild.node('camera').setCamera(wild.document.createCamera('lens'));
      const lamp = wild.node('lamp', { rotation: TURN, translation: [0, 1, 0] }, camera);
      lamp.setExtension('KHR_lights_punctual', lights.createLight('sun'));
      const { joints } = rig(wild, '', {}, wild.node('nothing', { scale: [2, 2, 2] }, lamp));
      wild.node('prop', {}, lamp).setMesh(wild.mesh('prop'));
      wild.dance('dance', joints, TIMES);
      wild.dance('pan', [camera], [0, 1]);
    },
    edit(json) {
      // Exporters of light animations leave channels without a node, for extensions.
      json.animations![0].channels.push({
        sampler: 0,
        target: { path: 'pointer', extensions: { KHR_animation_pointer: { pointer: '/extensions' } } } as never,
      });
    },
  },
  {
    name: 'a joint that carries a mesh, and a skinned mesh below a joint',
    make(wild) {
      const { joints, body } = rig(wild);
      joints[2].setMesh(wild.mesh('sword'));
      wild.scene.removeChild(body);
      joints[1].addChild(body);
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
];

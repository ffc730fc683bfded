import { KHRLightsPunctual } from '@gltf-transform/extensions';
import { Matrix4, Quaternion, Vector3 } from 'three';

import { KINDS, rig, TIMES, TURN, type WildFile } from './wild-rig.ts';

/** Nodes of every kind: scaled, mirrored, given by matrices, in other scenes, with cameras. */
export const WILD_NODES: WildFile[] = [
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
];

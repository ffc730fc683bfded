import type { GLTF } from '@gltf-transform/core';
import { binOf, glbOf, jsonOf } from '../../bench/engines/glb-file.ts';
import { RIG_FILES } from '../../bench/engines/rig-files.ts';

/** A generated rig, by the name of what is special about it. */
export const rigNamed = (name: string): Uint8Array => RIG_FILES.find((file) => file.name === name)!.make();

/** A rig whose clip is split in two that play at once: the first joint, and all others. */
export function splitClips(): Uint8Array {
  const glb = rigNamed('armature of scale 0.01');
  const json = jsonOf(glb);
  const [{ channels, samplers }] = json.animations!;
  const [first] = json.skins![0].joints;
  const part = (name: string, isOwn: (channel: GLTF.IAnimationChannel) => boolean): GLTF.IAnimation => ({
    name,
    samplers,
    channels: channels.filter(isOwn),
  });
  json.animations = [
    part('hips', ({ target }) => target.node === first),
    part('rest', ({ target }) => target.node !== first),
  ];
  return glbOf(json, binOf(glb));
}

/** A box that stands on z = 0, twice as high as wide: z is up, and OBJ cannot say so. */
export function uprightBox(): string {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((c) => [(c & 1) - 0.5, ((c >> 1) & 1) - 0.5, 2 * (c >> 2)]);
  const faces = ['1 3 4 2', '5 6 8 7', '1 2 6 5', '3 7 8 4', '1 5 7 3', '2 4 8 6'];
  return [...corners.map((corner) => `v ${corner.join(' ')}`), ...faces.map((face) => `f ${face}`), ''].join('\n');
}

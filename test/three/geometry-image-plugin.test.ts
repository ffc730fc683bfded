import {
  Bone,
  BoxGeometry,
  BufferGeometry,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  PerspectiveCamera,
  Raycaster,
  Skeleton,
  SkinnedMesh,
  SphereGeometry,
  Vector3,
} from 'three';
import { clone } from 'three/examples/jsm/utils/SkeletonUtils.js';
import { describe, expect, it } from 'vitest';
import { GeometryImageLoaderPlugin, GeometryImageMesh } from '../../adapters/three/index.ts';
import { describeImages } from '../../src/io/geometry-images.ts';
import type { GeometryImages } from '../../src/model/geometry-images.ts';
import { madeImages } from '../lod/made-images.ts';
import { icosphere } from '../mesh/shapes.ts';

/** A scene as GLTFLoader hands it to plug-ins, whose node 0, made as `object`, has images. */
async function loaded(object: Object3D, images: GeometryImages): Promise<{ scene: Group; mesh: GeometryImageMesh }> {
  const views: Uint8Array[] = [];
  const description = await describeImages(images, (bytes) => ({ bufferView: views.push(bytes) - 1 }));
  const scene = new Group().add(object);
  const gltf = { scenes: [scene], userData: {} as { geometryImages?: GeometryImageMesh[] } };
  await new GeometryImageLoaderPlugin({
    json: { nodes: [{ extensions: { PLIANT_geometry_images: description } }] },
    associations: new Map([[object, { nodes: 0 }]]),
    getDependency: async (_, index) => views[index].slice().buffer,
  }).afterRoot(gltf);
  return { scene, mesh: gltf.userData.geometryImages![0] };
}

const camera = new PerspectiveCamera(40, 1, 0.1, 1000);
camera.position.z = 5;
camera.updateMatrixWorld();

/** What a camera draws, by the names of the objects. */
function drawn(root: Object3D): Object3D[] {
  const out: Object3D[] = [];
  root.traverseVisible((object) => {
    if ('isMesh' in object && object.layers.test(camera.layers)) out.push(object);
  });
  return out;
}

const sphere = () => madeImages(icosphere(1), 3, { uvs: true });

describe('GeometryImageLoaderPlugin', () => {
  it('follows a node that moves, and leaves its children in view', async () => {
    const node = new Mesh(new SphereGeometry(), new MeshBasicMaterial());
    const hat = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
    node.add(hat);
    const { scene, mesh } = await loaded(node, sphere());
    expect(drawn(scene)).toContain(hat);
    expect(drawn(scene)).not.toContain(node);
    expect(drawn(scene).some((object) => object.parent === mesh)).toBe(true);
    node.position.set(3, 0, 0);
    node.scale.setScalar(2);
    scene.updateMatrixWorld(true);
    expect(mesh.matrixWorld.elements).toEqual(node.matrixWorld.elements);
    for (const draw of mesh.children) expect(draw.matrixWorld.elements).toEqual(node.matrixWorld.elements);
  });

  it('is hit by rays where its mesh is, once', async () => {
    const parts = [0, 1].map(() => new Mesh(new SphereGeometry(), new MeshBasicMaterial()));
    for (const node of [parts[0].clone(), new Group().add(...parts)]) {
      const { scene } = await loaded(node, sphere());
      scene.updateMatrixWorld(true);
      const hits = new Raycaster(new Vector3(0, 0.1, 5), new Vector3(0, 0, -1)).intersectObject(scene);
      const nearest = hits.filter(({ distance }) => distance < 4.5);
      expect(nearest).toHaveLength('isMesh' in node ? 1 : 2);
    }
  });

  it('is cloned with the bones that it follows', async () => {
    const bones = [0, 1, 2].map(() => new Bone());
    const node = new SkinnedMesh(new BufferGeometry().copy(new SphereGeometry()), new MeshBasicMaterial());
    const count = node.geometry.getAttribute('position').count;
    for (const name of ['skinIndex', 'skinWeight']) {
      const attribute = node.geometry.getAttribute('position').clone();
      node.geometry.setAttribute(
        name,
        Object.assign(attribute, { itemSize: 4, array: new Float32Array(4 * count), count }),
      );
    }
    const skeleton = new Skeleton(
      bones,
      bones.map(() => new Matrix4()),
    );
    node.bind(skeleton, new Matrix4());
    const images = madeImages(icosphere(1), 3, { skin: true });
    images.errors.set(images.errors.map((error) => 0.1 * error));
    const { scene, mesh } = await loaded(node, images);
    scene.add(...bones);
    scene.updateMatrixWorld(true);
    mesh.update(camera);
    const copy = clone(scene);
    const cloned = copy.getObjectByProperty('type', 'GeometryImageMesh') as GeometryImageMesh;
    expect(cloned).toBeInstanceOf(GeometryImageMesh);
    expect(cloned.children).toHaveLength(mesh.children.length);
    const skeletonOf = (of: GeometryImageMesh) => of.children.map((draw) => (draw as SkinnedMesh).skeleton);
    // Far away, by its own bones only.
    for (const bone of copy.children) if ('isBone' in bone) bone.position.z = -900;
    copy.updateMatrixWorld(true);
    cloned.update(camera);
    mesh.update(camera);
    expect(new Set(skeletonOf(cloned)).size).toBe(1);
    expect(skeletonOf(cloned)[0].bones[0]).toBe(copy.children.find((object) => 'isBone' in object));
    expect(cloned.triangles).toBeLessThan(mesh.triangles);
  });
});

describe('GeometryImageMesh', () => {
  it('hands shadows on to its draws, and keeps what is set on those', () => {
    const mesh = new GeometryImageMesh(sphere(), new MeshBasicMaterial());
    const casting = () => new Set(mesh.children.map(({ castShadow }) => castShadow));
    mesh.updateMatrixWorld(true);
    mesh.update(camera);
    expect(casting()).toEqual(new Set([false]));
    mesh.traverse((object) => {
      if ('isMesh' in object) object.castShadow = true;
    });
    mesh.update(camera);
    expect(casting()).toEqual(new Set([true]));
    mesh.castShadow = true;
    mesh.update(camera);
    mesh.castShadow = false;
    mesh.update(camera);
    expect(casting()).toEqual(new Set([false]));
  });

  it('counts the size that bones give it', () => {
    const images = madeImages(icosphere(1), 4, { skin: true });
    images.errors.set(images.errors.map((error) => 0.02 * error));
    const trianglesAt = (size: number, nodeSize: number): number => {
      const bones = [0, 1, 2].map(() => new Bone());
      const skeleton = new Skeleton(
        bones,
        bones.map(() => new Matrix4()),
      );
      const mesh = new GeometryImageMesh(images, new MeshBasicMaterial(), { skeleton });
      mesh.scale.setScalar(nodeSize);
      const scene = new Group().add(mesh, ...bones);
      for (const bone of bones) {
        bone.scale.setScalar(size);
        bone.position.z = -20 * size;
      }
      scene.updateMatrixWorld(true);
      const eye = new PerspectiveCamera(40, 1, 0.1, 1000);
      eye.updateMatrixWorld();
      mesh.update(eye);
      return mesh.triangles;
    };
    expect(trianglesAt(1, 1)).toBeLessThan(80 * 64);
    expect(trianglesAt(3, 1)).toBe(trianglesAt(1, 1));
    expect(trianglesAt(1, 100)).toBe(trianglesAt(1, 1));
  });
});

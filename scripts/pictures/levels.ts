// The picture of docs/lod.md: the levels of a character, each in the same poses of its clips, as three.js draws them.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { LodLoaderPlugin, type LodMesh } from '../../adapters/three/index.ts';
import { styleFigures } from './figure-style.ts';

interface Panel {
  /** GLB with MSFT_lod, base64. */
  glb: string;
  /** 0 is the given mesh. */
  level: number;
  /** Below each other: a clip, by its name or number, and how far into it, 0…1. */
  poses: { clip: string | number; at: number }[];
  title: string;
  caption: string;
  /** From where the camera looks. */
  from: [number, number, number];
}

styleFigures();

async function show({ glb, level, poses, title, caption, from }: Panel, width: number, height: number): Promise<void> {
  const figure = document.createElement('figure');
  const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setPixelRatio(2); // edges come out smooth
  renderer.setSize(width, height);
  renderer.setClearColor('#ffffff');
  renderer.setScissorTest(true);
  figure.append(renderer.domElement);
  figure.insertAdjacentHTML('beforeend', `<figcaption><b>${title}</b><span>${caption}</span></figcaption>`);
  document.body.append(figure);

  const loader = new GLTFLoader();
  loader.register((parser) => new LodLoaderPlugin(parser));
  const bytes = Uint8Array.from(atob(glb), (c) => c.charCodeAt(0));
  const gltf = await loader.parseAsync(bytes.buffer, '');
  for (const lod of (gltf.userData.lods ?? []) as LodMesh[]) {
    lod.autoUpdate = false;
    lod.show(level);
  }
  const scene = new THREE.Scene().add(gltf.scene, new THREE.HemisphereLight('#ffffff', '#b9b2a8', 2));
  const sun = new THREE.DirectionalLight('#fff4e6', 2.4);
  sun.position.set(2, 4, 3);
  scene.add(sun);
  scene.traverse((object) => {
    if (object instanceof THREE.Mesh) object.frustumCulled = false;
  });
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const rowHeight = height / poses.length;
  poses.forEach(({ clip, at }, row) => {
    const found = gltf.animations.find(({ name }, c) => name === clip || c === clip)!;
    mixer.stopAllAction();
    mixer.clipAction(found).play();
    mixer.setTime(at * found.duration);
    scene.updateMatrixWorld(true);
    const box = new THREE.Box3().setFromObject(gltf.scene, true);
    const { center, radius } = box.getBoundingSphere(new THREE.Sphere());
    const camera = new THREE.PerspectiveCamera(28, width / rowHeight, 0.01 * radius, 100 * radius);
    // The sphere a little larger than the picture is narrow: characters do not fill it.
    const distance =
      (0.88 * radius) / Math.sin(0.5 * THREE.MathUtils.degToRad(camera.fov) * Math.min(1, camera.aspect));
    camera.position.copy(center).addScaledVector(new THREE.Vector3(...from).normalize(), distance);
    camera.lookAt(center);
    const below = height - (row + 1) * rowHeight;
    renderer.setViewport(0, below, width, rowHeight);
    renderer.setScissor(0, below, width, rowHeight);
    renderer.render(scene, camera);
  });
}

Object.assign(globalThis, {
  async draw(panels: Panel[], width: number, height: number) {
    for (const panel of panels) await show(panel, width, height);
  },
});

// The picture of docs/three.md: a box twisted nearly half a turn by linear blending, by dual quaternions in the shaders, and
// by linear blending again after `pliant linearize`.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { type ThreeOperator, useSkinning } from '../../adapters/three/index.ts';
import { styleFigures } from './figure-style.ts';

interface Panel {
  /** GLB, base64. */
  glb: string;
  title: string;
  caption: string;
  clip: string;
  /** Seconds into the clip. */
  time: number;
  /** Absent: three.js as it is, with no code of Pliant's. */
  operator?: ThreeOperator;
}

styleFigures();

/** Squares, so that the twist can be seen. */
function checkers(): THREE.Texture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 2;
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#e8b08a';
  context.fillRect(0, 0, 2, 2);
  context.fillStyle = '#b5533c';
  context.fillRect(0, 0, 1, 1);
  context.fillRect(1, 1, 1, 1);
  const texture = new THREE.CanvasTexture(canvas);
  texture.magFilter = THREE.NearestFilter;
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.repeat.set(6, 8);
  return texture;
}

async function show(
  { glb, title, caption, clip, time, operator }: Panel,
  width: number,
  height: number,
): Promise<void> {
  const figure = document.createElement('figure');
  const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setPixelRatio(1);
  renderer.setSize(width, height);
  renderer.shadowMap.enabled = true;
  figure.append(renderer.domElement);
  figure.insertAdjacentHTML('beforeend', `<figcaption><b>${title}</b><span>${caption}</span></figcaption>`);
  document.body.append(figure);

  const bytes = Uint8Array.from(atob(glb), (c) => c.charCodeAt(0));
  const { scene: model, animations } = await new GLTFLoader().parseAsync(bytes.buffer, '');
  const scene = new THREE.Scene();
  scene.background = new THREE.Color('#ffffff');
  const sun = new THREE.DirectionalLight('#fff4e6', 2.6);
  sun.position.set(2.5, 4, 3);
  sun.castShadow = true;
  sun.shadow.mapSize.setScalar(1024);
  const floor = new THREE.Mesh(new THREE.PlaneGeometry(20, 20), new THREE.ShadowMaterial({ opacity: 0.25 }));
  floor.rotation.x = -Math.PI / 2;
  floor.receiveShadow = true;
  scene.add(model, sun, floor, new THREE.HemisphereLight('#ffffff', '#b9b2a8', 1.8));
  model.traverse((object) => {
    if (!(object instanceof THREE.SkinnedMesh)) return;
    object.material = new THREE.MeshStandardMaterial({ map: checkers(), roughness: 0.8 });
    object.castShadow = true;
    object.frustumCulled = false;
    if (operator) useSkinning(object, operator);
  });
  const mixer = new THREE.AnimationMixer(model);
  mixer.clipAction(animations.find(({ name }) => name === clip)!).play();
  mixer.setTime(time);
  const camera = new THREE.PerspectiveCamera(30, width / height, 0.1, 50);
  camera.position.set(1.6, 1.7, 4.6);
  camera.lookAt(0, 0.98, 0);
  renderer.render(scene, camera);
}

Object.assign(globalThis, {
  async draw(panels: Panel[], width: number, height: number) {
    for (const panel of panels) await show(panel, width, height);
  },
});

// The picture of docs/three.md about cloth: sample garments on the sample figure, as `ClothMesh` moves them.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { ClothMesh } from '../../adapters/three/index.ts';
import { styleFigures } from './figure-style.ts';

interface Panel {
  /** GLBs, base64. */
  figure: string;
  garment: string;
  title: string;
  caption: string;
  clip: string;
  /** Seconds into the clip. */
  time: number;
  /** Towards the back, m/s. */
  wind: number;
  /** Where the camera is, around the figure, in degrees; 0 is in front. */
  angle: number;
}

styleFigures();

async function load(glb: string) {
  const bytes = Uint8Array.from(atob(glb), (c) => c.charCodeAt(0));
  const { scene, animations } = await new GLTFLoader().parseAsync(bytes.buffer, '');
  const mesh = scene.getObjectsByProperty('isMesh', true)[0] as THREE.SkinnedMesh;
  return { scene, animations, mesh };
}

async function show(panel: Panel, width: number, height: number): Promise<void> {
  const { title, caption, clip, time, wind, angle } = panel;
  const element = document.createElement('figure');
  const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setPixelRatio(1);
  renderer.setSize(width, height);
  renderer.shadowMap.enabled = true;
  element.append(renderer.domElement);
  element.insertAdjacentHTML('beforeend', `<figcaption><b>${title}</b><span>${caption}</span></figcaption>`);
  document.body.append(element);

  const figure = await load(panel.figure);
  const garment = await load(panel.garment);
  const cloth = await ClothMesh.create(garment.mesh, figure.mesh, { pins: { color: 'red' } });
  cloth.material = new THREE.MeshStandardMaterial({ color: '#b5533c', roughness: 0.8, side: THREE.DoubleSide });
  cloth.wind.set(0, 0, -wind);
  const mixer = new THREE.AnimationMixer(figure.scene);
  mixer.clipAction(figure.animations.find(({ name }) => name === clip)!).play();
  for (let k = 0; k < 60 * time; k++) {
    mixer.update(1 / 60);
    cloth.update(1 / 60);
  }

  const scene = new THREE.Scene();
  scene.background = new THREE.Color('#ffffff');
  const sun = new THREE.DirectionalLight('#fff4e6', 2.6);
  const turn = (angle * Math.PI) / 180;
  sun.position.set(3 * Math.sin(turn + 0.7), 4, 3 * Math.cos(turn + 0.7));
  const floor = new THREE.Mesh(new THREE.PlaneGeometry(20, 20), new THREE.ShadowMaterial({ opacity: 0.25 }));
  floor.rotation.x = -Math.PI / 2;
  floor.receiveShadow = true;
  sun.shadow.mapSize.setScalar(2048);
  figure.mesh.material = new THREE.MeshStandardMaterial({ color: '#d8c8b8', roughness: 0.8 });
  figure.mesh.frustumCulled = false;
  for (const object of [sun, cloth, figure.mesh]) object.castShadow = true;
  cloth.receiveShadow = true;
  scene.add(figure.scene, cloth, sun, floor, new THREE.HemisphereLight('#ffffff', '#b9b2a8', 1.8));
  sun.shadow.bias = -0.002;
  const camera = new THREE.PerspectiveCamera(30, width / height, 0.1, 50);
  camera.position.set(4.6 * Math.sin(turn), 1.4, 4.6 * Math.cos(turn));
  camera.lookAt(0, 0.88, 0);
  renderer.render(scene, camera);
  cloth.dispose();
}

Object.assign(globalThis, {
  async draw(panels: Panel[], width: number, height: number) {
    for (const panel of panels) await show(panel, width, height);
  },
});

// The picture of the README: cloth as it was simulated, the same cloth on a few bones, and a twisted arm twice.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { styleFigures } from './figure-style.ts';

interface Panel {
  /** GLB, base64. */
  glb: string;
  title: string;
  caption: string;
  /** Seconds into the first clip. */
  time: number;
  clip?: string;
  /** Camera position relative to the target, in diagonals of what is shown. */
  from: [number, number, number];
  /** Centre of the view, as fractions of the box. */
  at?: [number, number, number];
  paint: 'cloth' | 'regions' | 'body';
}

const PALETTE = ['#4e79a7', '#f28e2b', '#e15759', '#76b7b2', '#59a14f', '#edc948', '#b07aa1', '#ff9da7', '#9c755f'];

styleFigures('1568px');

async function show(panel: Panel, width: number, height: number): Promise<void> {
  const figure = document.createElement('figure');
  const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setPixelRatio(1);
  renderer.setSize(width, height);
  renderer.toneMapping = THREE.ACESFilmicToneMapping;
  renderer.shadowMap.enabled = true;
  figure.append(renderer.domElement);
  figure.insertAdjacentHTML('beforeend', `<figcaption><b>${panel.title}</b><span>${panel.caption}</span></figcaption>`);
  document.body.append(figure);

  const bytes = Uint8Array.from(atob(panel.glb), (c) => c.charCodeAt(0));
  const gltf = await new GLTFLoader().parseAsync(bytes.buffer, '');
  const scene = new THREE.Scene();
  scene.background = new THREE.Color('#ffffff');
  scene.add(gltf.scene, new THREE.HemisphereLight('#ffffff', '#b9b2a8', 1.6));
  const sun = new THREE.DirectionalLight('#fff4e6', 2.4);
  sun.position.set(2, 4, 3);
  scene.add(sun);

  const clip = gltf.animations.find(({ name }) => name === panel.clip) ?? gltf.animations[0];
  const mixer = new THREE.AnimationMixer(gltf.scene);
  mixer.clipAction(clip).play();
  mixer.setTime(panel.time);
  scene.updateMatrixWorld(true);

  const box = new THREE.Box3();
  gltf.scene.traverse((object) => {
    if (!(object instanceof THREE.Mesh)) return;
    object.frustumCulled = false;
    bake(object);
    paint(object, panel.paint);
    object.geometry.computeBoundingBox();
    box.union(object.geometry.boundingBox!.clone().applyMatrix4(object.matrixWorld));
  });
  const size = box.getSize(new THREE.Vector3());
  const at = panel.at ?? [0.5, 0.5, 0.5];
  const target = new THREE.Vector3(...at).multiply(size).add(box.min);
  const camera = new THREE.PerspectiveCamera(28, width / height, 0.01, 100);
  camera.position.copy(target).addScaledVector(new THREE.Vector3(...panel.from), size.length());
  camera.lookAt(target);
  renderer.render(scene, camera);
}

/** Freezes the pose, so that smooth normals can be computed for it. */
function bake(mesh: THREE.Mesh): void {
  const { position } = mesh.geometry.attributes;
  const posed = new Float32Array(3 * position.count);
  const v = new THREE.Vector3();
  for (let i = 0; i < position.count; i++) mesh.getVertexPosition(i, v).toArray(posed, 3 * i);
  const joints = mesh.geometry.attributes.skinIndex;
  const geometry = new THREE.BufferGeometry();
  geometry.setIndex(mesh.geometry.index);
  geometry.setAttribute('position', new THREE.BufferAttribute(posed, 3));
  if (mesh.geometry.attributes.uv) geometry.setAttribute('uv', mesh.geometry.attributes.uv);
  if (joints) geometry.setAttribute('bone', joints);
  geometry.computeVertexNormals();
  const still = new THREE.Mesh(geometry, mesh.material);
  mesh.parent!.add(still);
  mesh.visible = false;
  mesh.geometry = geometry;
  still.matrixWorld.copy(mesh.matrixWorld);
}

function paint(mesh: THREE.Mesh, how: Panel['paint']): void {
  const still = mesh.parent!.children[mesh.parent!.children.length - 1] as THREE.Mesh;
  if (how === 'body') {
    still.material = new THREE.MeshStandardMaterial({ color: '#d9a679', roughness: 0.75, side: THREE.DoubleSide });
    return;
  }
  const { geometry } = still;
  const count = geometry.attributes.position.count;
  const colors = new Float32Array(3 * count);
  const color = new THREE.Color();
  for (let i = 0; i < count; i++) {
    const bone = geometry.attributes.bone;
    color.set(how === 'regions' && bone ? PALETTE[(bone.getX(i) * 5) % PALETTE.length] : '#c8553d');
    color.toArray(colors, 3 * i);
  }
  geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3));
  still.material = new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.85, side: THREE.DoubleSide });
}

Object.assign(globalThis, {
  async draw(panels: Panel[], width: number, height: number) {
    for (const panel of panels) await show(panel, width, height);
  },
});

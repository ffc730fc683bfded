import {
  AmbientLight,
  type Box3,
  DirectionalLight,
  PerspectiveCamera,
  Scene,
  Sphere,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { type Look, loadShown, type Shown, together } from './shown.ts';

/**
 * The interactive view inside report pages (src/report/view.ts has its markup): the GLBs that the page carries, to turn,
 * move, zoom and play. Draws only when something changed. Where it cannot start, the page stays as it is without it.
 */

const view = document.getElementById('view')!;
const find = <T extends Element>(selector: string): T => view.querySelector<T>(selector)!;

const canvas = find<HTMLCanvasElement>('canvas');
const looks = find<HTMLElement>('.looks');
const clipList = find<HTMLSelectElement>('select');
const timeBar = find<HTMLElement>('.time');
const playButton = find<HTMLButtonElement>('.time button');
const slider = find<HTMLInputElement>('input');
const clock = find<HTMLOutputElement>('output');
const legend = find<HTMLElement>('.errors');

const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
const scene = new Scene();
const camera = new PerspectiveCamera(35);
const controls = new OrbitControls(camera, canvas);
scene.add(camera, new AmbientLight(0xffffff, 1.3));
for (const [place, strength] of [
  [new Vector3(-1, 1.5, 1), 2.6],
  [new Vector3(2, 0, 0.5), 0.7],
] as const) {
  const light = new DirectionalLight(0xffffff, strength);
  light.position.copy(place);
  camera.add(light, light.target);
}

/** Where the camera stands at first, as seen from what it looks at. */
const FROM = new Vector3(0.55, 0.3, 1).normalize();

let shown: Shown;
let playing = false;
let seconds = 0;
let reach: Box3;

const clipOf = (): Shown['clips'][number] | undefined => shown.clips[clipList.selectedIndex];
const lengthOf = (): number => clipOf()?.seconds ?? 0;

function seeAll(): void {
  const { center, radius } = reach.getBoundingSphere(new Sphere());
  const angle = Math.atan(Math.tan((camera.fov * Math.PI) / 360) * Math.min(1, camera.aspect));
  // Few surfaces reach the corners of their box.
  const distance = (0.8 * radius) / Math.sin(angle) || 1;
  camera.near = distance / 100;
  camera.far = distance * 100;
  camera.updateProjectionMatrix();
  camera.position.copy(center).addScaledVector(FROM, distance);
  controls.target.copy(center);
  controls.update();
}

let asked = false;
/** Asks for a picture; many wishes before it are one. */
function draw(): void {
  if (asked) return;
  asked = true;
  requestAnimationFrame(drawNow);
}

let before = 0;
function drawNow(now: number): void {
  asked = false;
  if (playing) {
    // After a pause, in the background for one, it goes on where it was.
    seconds += Math.min(0.1, (now - before) / 1000);
    if (seconds >= lengthOf()) seconds %= lengthOf() || 1;
    draw();
  }
  before = now;
  slider.value = String(seconds);
  clock.value = `${seconds.toFixed(2)} / ${lengthOf().toFixed(2)} s`;
  shown.pose(clipList.selectedIndex, seconds);
  renderer.render(scene, camera);
}

function play(on: boolean): void {
  playing = on;
  playButton.textContent = on ? 'Pause' : 'Play';
  before = performance.now();
  draw();
}

/** All that is shown has the same clips in the same order. */
function listClips(): void {
  const chosen = clipList.selectedIndex;
  clipList.replaceChildren(...shown.clips.map(({ name }) => new Option(name)));
  clipList.selectedIndex = Math.max(0, Math.min(chosen, shown.clips.length - 1));
  clipList.hidden = shown.clips.length < 2;
  showTime();
}

function showTime(): void {
  timeBar.hidden = lengthOf() === 0;
  slider.max = String(lengthOf());
  seconds = Math.min(seconds, lengthOf());
}

function show(next: Shown, look: Look): void {
  const isFirst = shown === undefined;
  shown?.root.removeFromParent();
  scene.add(next.root);
  shown = next;
  next.paint(look);
  legend.hidden = look !== 'errors';
  listClips();
  if (isFirst) play(lengthOf() > 0 && !matchMedia('(prefers-reduced-motion: reduce)').matches);
  draw();
}

/** A button for each file, and one for its errors where it knows them. */
function addLook(name: string, load: () => Promise<Shown>, look: Look): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = name;
  button.addEventListener('click', async () => {
    const next = await load();
    for (const other of looks.children) other.setAttribute('aria-pressed', String(other === button));
    show(next, look);
  });
  button.setAttribute('aria-pressed', 'false');
  looks.append(button);
  return button;
}

function resize(): void {
  const { clientWidth, clientHeight } = canvas;
  if (clientWidth === 0 || clientHeight === 0) return;
  renderer.setPixelRatio(Math.min(2, devicePixelRatio));
  renderer.setSize(clientWidth, clientHeight, false);
  camera.aspect = clientWidth / clientHeight;
  camera.updateProjectionMatrix();
  draw();
}

const bytesOf = (base64: string): ArrayBuffer => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)).buffer;

async function start(): Promise<void> {
  const names = new Map<string, string[]>();
  for (const { dataset, textContent } of view.querySelectorAll<HTMLScriptElement>('script[data-name]')) {
    const { name = '' } = dataset;
    names.set(name, [...(names.get(name) ?? []), textContent ?? '']);
  }
  const files = Array.from(names, ([name, texts]) => {
    let made: Promise<Shown> | undefined;
    const load = () => {
      made ??= Promise.all(texts.map((text) => loadShown(bytesOf(text)))).then(together);
      return made;
    };
    return { name, load };
  });
  const first = await files[0].load();
  reach = first.reach();
  view.hidden = false;
  show(first, 'clay');
  for (const { name, load } of files) addLook(name, load, 'clay');
  if (first.hasErrors) addLook('Errors', files[0].load, 'errors');
  looks.children[0].setAttribute('aria-pressed', 'true');
  looks.hidden = looks.children.length < 2;
  resize();
  seeAll();
  new ResizeObserver(resize).observe(canvas);
  controls.addEventListener('change', draw);
  controls.listenToKeyEvents(canvas);
  canvas.addEventListener('dblclick', seeAll);
  // A page is scrolled over the view until somebody takes hold of it.
  controls.enableZoom = false;
  canvas.addEventListener('pointerdown', () => {
    controls.enableZoom = true;
  });
  canvas.addEventListener('pointerleave', ({ pointerType }) => {
    controls.enableZoom = pointerType === 'touch';
  });
  playButton.addEventListener('click', () => play(!playing));
  slider.addEventListener('input', () => {
    play(false);
    seconds = slider.valueAsNumber;
  });
  clipList.addEventListener('change', () => {
    seconds = 0;
    showTime();
    draw();
  });
}

start().catch((error) => {
  view.hidden = true;
  console.warn(`The 3D view cannot be shown: ${error}`);
});

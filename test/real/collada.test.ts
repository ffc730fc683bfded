import { readFileSync } from 'node:fs';
import { AnimationMixer, LoopOnce, Matrix4, type Mesh, type SkinnedMesh, Vector3 } from 'three';
import { ColladaLoader } from 'three/examples/jsm/loaders/ColladaLoader.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseXml, type XmlElement } from '../../src/io/collada/xml.ts';
import { memorySource } from '../../src/io/files.ts';
import { readCollada } from '../../src/io/read-collada.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import { clipFrame } from '../../src/model/skeleton.ts';
import { naiveLbs } from '../io/gltf/fixtures.ts';
import { realData } from './data.ts';

const { path: folder, absent, why } = realData('collada/');
const path = `${folder}stormtrooper.dae`;

/** As much of the DOM as three.js's loader asks of a document. */
class DomElement {
  readonly nodeType = 1;
  readonly nodeName: string;
  readonly childNodes: DomElement[];
  readonly textContent: string;
  readonly #attributes: Readonly<Record<string, string>>;

  constructor({ name, attributes, children, text }: XmlElement) {
    this.nodeName = name;
    this.childNodes = children.map((child) => new DomElement(child));
    this.textContent = text + this.childNodes.map((child) => child.textContent).join('');
    this.#attributes = attributes;
  }
  getAttribute(name: string): string | null {
    return this.#attributes[name] ?? null;
  }
  hasAttribute(name: string): boolean {
    return name in this.#attributes;
  }
  getElementsByTagName(name: string): DomElement[] {
    return this.childNodes.flatMap((child) => [
      ...(child.nodeName === name ? [child] : []),
      ...child.getElementsByTagName(name),
    ]);
  }
  /** Selectors of the kind `[id="…"]`. */
  querySelector(selector: string): DomElement | null {
    const [, attribute, value] = /^\[(\w+)="(.*)"\]$/.exec(selector)!;
    for (const child of this.childNodes) {
      if (child.getAttribute(attribute) === value) return child;
      const found = child.querySelector(selector);
      if (found) return found;
    }
    return null;
  }
}

class DomParser {
  parseFromString(text: string): DomElement {
    const root = parseXml(new TextEncoder().encode(text), 'test', 'test.dae');
    return new DomElement({ name: '#document', attributes: {}, children: [root], text: '', line: 1 });
  }
}

describe.skipIf(absent)(`stormtrooper.dae${why}`, () => {
  beforeAll(() => {
    vi.stubGlobal('DOMParser', DomParser);
    for (const method of ['debug', 'log', 'warn'] as const) vi.spyOn(console, method).mockImplementation(() => {});
  });
  afterAll(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it('is posed as three.js poses it, at every key', async () => {
    const bytes = new Uint8Array(readFileSync(path));
    const [model] = (await readCollada(memorySource('stormtrooper.dae', bytes))).models;
    const [clip] = model.clips;

    // Pictures cannot be loaded here, and do not matter.
    const text = new TextDecoder().decode(bytes).replace(/<texture [^>]*>/g, '<color>1 1 1 1</color>');
    const { scene } = new ColladaLoader().parse(text, '')!;
    let mesh: SkinnedMesh | undefined;
    scene.traverse((object) => {
      if ((object as SkinnedMesh).isSkinnedMesh) mesh = object as SkinnedMesh;
    });
    if (!mesh) throw new Error('three.js found no skinned mesh');
    expect((mesh as Mesh).geometry.attributes.position.count).toBe(model.mesh.triangles.length);

    const mixer = new AnimationMixer(scene);
    const action = mixer.clipAction(scene.animations[0]).setLoop(LoopOnce, 1);
    action.clampWhenFinished = true;
    action.play();
    const diagonal = diagonalOf(model.mesh.positions);
    const point = new Vector3();
    const toFile = new Matrix4();
    let compared = 0;
    let worst = 0;
    for (let k = 0; k < clip.times.length; k++) {
      mixer.setTime(clip.times[k]);
      scene.updateMatrixWorld(true);
      // three.js turns the scene to y up: back to the file's axes.
      toFile.copy(scene.matrixWorld).invert();
      const ours = naiveLbs(model, clipFrame(clip, k));
      for (let corner = 0; corner < model.mesh.triangles.length; corner += 29) {
        const i = model.mesh.triangles[corner];
        // three.js keeps four influences.
        if (model.weights.influences > 4 && model.weights.weights[i * model.weights.influences + 4] > 0) continue;
        mesh.getVertexPosition(corner, point).applyMatrix4(mesh.matrixWorld).applyMatrix4(toFile);
        worst = Math.max(
          worst,
          Math.hypot(point.x - ours[3 * i], point.y - ours[3 * i + 1], point.z - ours[3 * i + 2]),
        );
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(20_000);
    expect(worst / diagonal).toBeLessThan(1e-5);
  });
});

import {
  Bone,
  type Mesh as DrawnMesh,
  Matrix4,
  MeshBasicMaterial,
  type Object3D,
  PerspectiveCamera,
  Quaternion,
  Scene,
  Skeleton,
  Vector3,
  WebGLRenderer,
} from 'three';
import { GeometryImageMesh } from '../../../adapters/three/index.ts';
import { gridTriangles } from '../../../src/lod/images/base-complex.ts';
import { seededRandom } from '../../../src/math/rng.ts';
import type { GeometryImages } from '../../../src/model/geometry-images.ts';
import type { Mesh } from '../../../src/model/mesh.ts';
import { borderSteps, unmatchedSides } from '../../lod/cracks.ts';
import { madeImages } from '../../lod/made-images.ts';
import { grid, icosphere, torus } from '../../mesh/shapes.ts';

/** Where the shader puts the vertices of geometry images, read back by transform feedback: `gl_Position`, to the bit. */

const SHAPES: Record<string, () => Mesh> = {
  sphere: () => icosphere(0),
  torus: () => torus(4, 4),
  sheet: () => grid(3, 2),
};

const prototype = WebGL2RenderingContext.prototype;
const { linkProgram, drawElementsInstanced } = prototype;
prototype.linkProgram = function link(program) {
  this.transformFeedbackVaryings(program, ['gl_Position'], this.INTERLEAVED_ATTRIBS);
  linkProgram.call(this, program);
};

/** A draw of all patches of a level: four numbers for every sample of each. */
interface Drawn {
  level: number;
  instances: number;
  positions: Float32Array;
}

let drawn: Drawn[] = [];
prototype.drawElementsInstanced = function draw(mode, count, type, offset, instances) {
  drawElementsInstanced.call(this, mode, count, type, offset, instances);
  const level = Math.round(Math.log2(count / 3) / 2);
  const samples = ((2 ** level + 1) * (2 ** level + 2)) / 2;
  const positions = new Float32Array(4 * samples * instances);
  const buffer = this.createBuffer();
  this.bindBuffer(this.TRANSFORM_FEEDBACK_BUFFER, buffer);
  this.bufferData(this.TRANSFORM_FEEDBACK_BUFFER, positions.byteLength, this.STREAM_READ);
  this.bindBufferBase(this.TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
  this.enable(this.RASTERIZER_DISCARD);
  this.beginTransformFeedback(this.POINTS);
  this.drawArraysInstanced(this.POINTS, 0, samples, instances);
  this.endTransformFeedback();
  this.disable(this.RASTERIZER_DISCARD);
  this.bindBufferBase(this.TRANSFORM_FEEDBACK_BUFFER, 0, null);
  this.bindBuffer(this.TRANSFORM_FEEDBACK_BUFFER, null);
  this.bindBuffer(this.COPY_READ_BUFFER, buffer);
  this.getBufferSubData(this.COPY_READ_BUFFER, 0, positions);
  this.deleteBuffer(buffer);
  const trouble = this.getError();
  if (trouble !== this.NO_ERROR) throw new Error(`WebGL says ${trouble}`);
  drawn.push({ level, instances, positions });
};

const renderer = new WebGLRenderer();
renderer.setSize(16, 16);
const material = new MeshBasicMaterial();

/** Sides between vertices, by their bits, that no other triangle has. */
function cracks(): number {
  const positions = Float32Array.from(drawn.flatMap((draw) => [...draw.positions]));
  const triangles: number[] = [];
  let first = 0;
  for (const { level, instances, positions: own } of drawn) {
    const samples = own.length / 4 / instances;
    const faces = gridTriangles(level);
    for (let i = 0; i < instances; i++, first += samples) for (const c of faces) triangles.push(first + c);
  }
  return unmatchedSides(Uint32Array.from(triangles), positions, 4);
}

/** Errors that make a `GeometryImageMesh` take these levels, wherever it is. */
function demand(images: GeometryImages, levels: Uint8Array): void {
  const count = images.levels.length;
  images.errors.forEach((_, q) => {
    images.errors[q] = q % count < levels[Math.floor(q / count)] ? 1e9 : 0;
  });
}

/** Words of patches that know nothing of their neighbours. */
function unsew(mesh: GeometryImageMesh, camera: PerspectiveCamera): void {
  mesh.update(camera);
  mesh.autoUpdate = false;
  for (const child of mesh.children) {
    const { array } = (child as DrawnMesh).geometry.getAttribute('pliantPatch');
    for (let i = 1; i < array.length; i += 2) array[i] = (array[i] & 15) * 0x1111111;
  }
}

function randomBones(random: () => number): { skeleton: Skeleton; bones: Object3D[] } {
  const bones = [0, 1, 2].map((b) => {
    const bone = new Bone();
    const axis = new Vector3(random(), random(), random() + 0.1).normalize();
    bone.quaternion.copy(new Quaternion().setFromAxisAngle(axis, 2 * random()));
    bone.position.set(b * random(), random(), random());
    return bone;
  });
  const skeleton = new Skeleton(
    bones,
    bones.map(() => new Matrix4()),
  );
  return { skeleton, bones };
}

Object.assign(globalThis, {
  /** Cracks in random mixes of levels, over all trials; and how many levels and triangles there were. */
  cracksIn(shape: string, skin: boolean, trials: number, isSewn = true) {
    const random = seededRandom(11);
    const camera = new PerspectiveCamera(40, 1, 0.1, 50);
    const out = { cracks: 0, mixes: new Set<string>(), levels: new Set<number>(), triangles: 0 };
    const images = madeImages(SHAPES[shape](), 4, { skin });
    let before: GeometryImageMesh | undefined;
    for (let trial = 0; trial < trials; trial++) {
      const levels = images.depths.map((depth) => Math.floor(random() * (depth + 1)));
      demand(images, levels);
      const { skeleton, bones } = randomBones(random);
      const mesh = new GeometryImageMesh(images, material, { maxStep: 10, ...(skin && { skeleton }) });
      mesh.rotation.set(random(), random(), random());
      camera.position.set(random() - 0.5, random() - 0.5, 3 + 2 * random());
      drawn = [];
      if (!isSewn) unsew(mesh, camera);
      renderer.render(new Scene().add(mesh, ...bones), camera);
      out.cracks += Math.abs(cracks() - borderSteps(images, levels));
      out.mixes.add(levels.join());
      for (const { level, instances } of drawn) {
        out.levels.add(level);
        out.triangles += instances * 4 ** level;
      }
      // After the next one is drawn: three.js forgets programs that nothing uses, and to compile them takes longest.
      before?.dispose();
      before = mesh;
    }
    before?.dispose();
    return { ...out, mixes: out.mixes.size, levels: out.levels.size };
  },
});

import { MeshoptSimplifier } from 'meshoptimizer';
import { type AnimationClip, BufferGeometry, type Group, Matrix4, SkinnedMesh } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { type LodLevel, LodMesh } from '../../adapters/three/index.ts';
import { writeModelGlb } from '../../src/index.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';

/** A figure as GLTFLoader has it, with levels of detail. */
export interface CrowdCharacter {
  scene: Group;
  clips: AnimationClip[];
  lod: LodMesh;
}

/** The sample `figure` with so many levels, each of a third of the triangles of the one before, by meshoptimizer. */
export async function crowdCharacter(vertices = 1200, levels = 5): Promise<CrowdCharacter> {
  const { bytes } = await writeModelGlb(sampleFigure(vertices, 24, 12));
  const { scene, animations } = await new GLTFLoader().parseAsync(bytes.slice().buffer, '');
  let mesh!: SkinnedMesh;
  scene.traverse((object) => {
    if (object instanceof SkinnedMesh) mesh = object;
  });
  return { scene, clips: animations, lod: new LodMesh(mesh, await simplified(mesh.geometry, levels)) };
}

async function simplified(geometry: BufferGeometry, levels: number): Promise<LodLevel[]> {
  await MeshoptSimplifier.ready;
  const positions = Float32Array.from(geometry.getAttribute('position').array);
  const scale = MeshoptSimplifier.getScale(positions, 3);
  const out: LodLevel[] = [{ geometry, error: 0 }];
  let indices = Uint32Array.from(geometry.index!.array);
  for (let l = 1; l < levels; l++) {
    const target = 3 * Math.floor(indices.length / 9);
    const [fewer, error] = MeshoptSimplifier.simplify(indices, positions, 3, target, 1, ['Permissive']);
    indices = fewer as Uint32Array<ArrayBuffer>;
    const coarse = new BufferGeometry();
    for (const [name, attribute] of Object.entries(geometry.attributes)) coarse.setAttribute(name, attribute.clone());
    coarse.setIndex([...indices]);
    out.push({ geometry: coarse, error: Math.max(1.01 * out[l - 1].error, error * scale) });
  }
  return out;
}

/** Where figure n of a crowd stands: all around, 2 to 100 m from the middle, as dense everywhere. */
export function crowdPlace(n: number): Matrix4 {
  const share = (n * GOLDEN) % 1; // of the ring's area, evenly for any count
  const radius = Math.sqrt(2 ** 2 + share * (100 ** 2 - 2 ** 2));
  const angle = 2 * Math.PI * ((n * GOLDEN * GOLDEN) % 1);
  return new Matrix4().makeRotationY(n).setPosition(radius * Math.cos(angle), 0, radius * Math.sin(angle));
}

/** Of the sequence that fills a plane evenly (Roberts 2018): 1/g, where g³ = g + 1. */
const GOLDEN = 0.7548776662466927;

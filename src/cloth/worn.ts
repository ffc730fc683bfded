/** A garment on a body, ready to be stepped: the coarse cloth, and the fine one on it. */
import { diagonalOf } from '../mesh/bounds.ts';
import type { Mesh } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import type { OptionsOf, RunOptions } from '../model/options.ts';
import type { ClothMaterial } from './body.ts';
import { type BodyFrame, type BodyStart, movedMesh, movePoints, type Wearer } from './body-motion.ts';
import { type CoarseMesh, coarseMesh } from './coarse-mesh.ts';
import { Embedding } from './embedding.ts';
import { obstacleOf } from './obstacles.ts';
import type { WEAR_OPTIONS } from './options.ts';
import type { ClothScene } from './scene.ts';
import { LAYERS } from './self-collision.ts';
import { type ClothSolver, clothSolver, type SolverOptions } from './solver.ts';
import { type Stage, stageOf } from './stage.ts';
import type { Wind } from './wind.ts';

/** What is worn. */
export interface Garment {
  /** At the body's rest pose, in metres, y up. */
  mesh: Mesh;
  /** Vertices that the body holds. */
  pinned: Uint32Array;
  /** What is simulated in its place, at the body's rest pose too [default made by decimation]. */
  coarse?: CoarseMesh;
  wind?: Wind;
}

export interface DressedBody {
  /** The garment and its coarse mesh at the body's rest pose: what the embedding is of. */
  rest: { fine: Mesh; coarse: Mesh };
  /** Both where the motion starts. */
  fine: Mesh;
  coarse: Mesh;
  /** The body as the fine mesh meets it. */
  stage: Stage;
  readonly solver: ClothSolver;
  embedding: Embedding;
  /** The body goes on to its next frame, and the coarse cloth with it. The detail is left to the caller. */
  next(frame: BodyFrame): void;
  /** Takes the coarse cloth along with a rigid motion (12), to a body that is at `frame`: nothing is pushed on the way. */
  carry(motion: Float64Array, frame: BodyFrame): void;
  /** Goes on with another bending stiffness, N·m. */
  setBending(bending: number): void;
}

/** The coarse cloth keeps this much more distance, so that its facets do not cut into the body. m. */
const COARSE_THICKNESS = 0.008;
/** The speed of stretch in the cloth, m/s: it moves no faster. */
export const CLOTH_SPEED = 30;
/** Cotton that calms down soon. */
const GARMENT_MATERIAL: Omit<ClothMaterial, 'thickness' | 'bending'> = {
  density: 0.2,
  waveSpeed: CLOTH_SPEED,
  compression: 0.4,
  viscosity: 4e-3,
  friction: 0.3,
};

/** A garment and its coarse mesh where the motion starts, and the body as both meet it. */
export function dress(
  garment: Garment,
  simulated: CoarseMesh,
  body: Wearer,
  start: BodyStart,
  { collider, thickness }: Pick<WearOptions, 'collider' | 'thickness'>,
) {
  const fine = movedMesh(start.place, garment.mesh);
  const coarse = movedMesh(start.place, simulated.mesh);
  const obstacle = obstacleOf(body, start, collider);
  const coarseStage = stageOf(coarse, simulated.pinned, start, obstacle, thickness + COARSE_THICKNESS);
  const stage = stageOf(fine, garment.pinned, start, obstacle, thickness);
  return { fine, coarse, stage, coarseStage, obstacle, movers: [obstacle, coarseStage.pins, stage.pins] };
}

type WearOptions = OptionsOf<typeof WEAR_OPTIONS>;

/** What is simulated of a garment: a mesh of it, with the body as that meets it. */
export function garmentScene(
  { mesh: { name = 'cloth' }, wind }: Garment,
  of: Pick<ClothScene, 'mesh' | 'pinned' | 'stage'>,
  kind: 'coarse' | 'simulated',
  { bending, thickness, selfCollision }: Pick<WearOptions, 'bending' | 'thickness' | 'selfCollision'>,
): ClothScene {
  const keep = kind === 'coarse' ? thickness + COARSE_THICKNESS : thickness;
  const material = { ...GARMENT_MATERIAL, bending, thickness: keep };
  return { ...of, name, material, colliders: [], wind, layers: selfCollision ? LAYERS[kind] : 0 };
}

/** Dresses a body at its rest pose, `start`. Frames take `frameTime` seconds. */
export async function wearGarment(
  garment: Garment,
  body: Wearer,
  start: BodyStart,
  frameTime: number,
  options: WearOptions & RunOptions & Pick<SolverOptions, 'guide'>,
): Promise<DressedBody> {
  const { coarseVertices, guide } = options;
  const simulated = garment.coarse ?? (await coarseMesh(garment.mesh, garment.pinned, coarseVertices, options));
  const { fine, coarse, stage, coarseStage, movers } = dress(garment, simulated, body, start, options);
  const of = { mesh: coarse, pinned: simulated.pinned, stage: coarseStage };
  const solverOf = (bending: number, clock?: ClothSolver): ClothSolver =>
    clothSolver(garmentScene(garment, of, 'coarse', { ...options, bending }), { frameTime, sweeps: 1, clock, guide });
  let solver = solverOf(options.bending);
  const embedding = new Embedding(simulated.mesh, garment.mesh);
  return {
    rest: { fine: garment.mesh, coarse: simulated.mesh },
    fine,
    coarse,
    stage,
    get solver() {
      return solver;
    },
    embedding,
    next(frame) {
      for (const mover of movers) mover.next(frame);
      solver.frame();
    },
    carry(motion, frame) {
      movePoints(motion, solver.body.x);
      movePoints(motion, solver.body.previous);
      for (const mover of movers) {
        mover.next(frame);
        mover.next(frame);
        mover.moveTo(1);
      }
    },
    setBending(bending) {
      const stiffer = solverOf(bending, solver);
      goOn(stiffer, solver);
      solver = stiffer;
    },
  };
}

/** Takes over where the cloth is and how fast it moves; sub-steps may be longer or shorter. */
function goOn({ body, subSteps }: ClothSolver, before: ClothSolver): void {
  const { x, previous } = before.body;
  const ratio = before.subSteps / subSteps;
  body.x.set(x);
  for (let c = 0; c < x.length; c++) body.previous[c] = x[c] - ratio * (x[c] - previous[c]);
}

/** Diagonals that garments have, m. */
const USUAL_SIZE = [0.05, 20] as const;

/** A note on a garment that is no size for one: its file may be in other units than it says. */
export function sizeNotes(mesh: Mesh): Note[] {
  const metres = diagonalOf(mesh.positions);
  return metres < USUAL_SIZE[0] || metres > USUAL_SIZE[1] ? [note('cloth-size', { metres })] : [];
}

/** A note on vertices that start inside the body. */
export function insideNotes(stage: Stage | undefined): Note[] {
  const inside = Array.from(stage?.margin ?? []).filter((distance) => distance < 0);
  const deepest = inside.reduce((least, distance) => Math.min(least, distance), 0);
  return inside.length > 0 ? [note('cloth-starts-inside', { vertices: inside.length, depth: -deepest })] : [];
}

/** What there is to know about how a garment sits. */
export function wearNotes({ stage, rest }: DressedBody): Note[] {
  return [
    ...sizeNotes(rest.fine),
    ...insideNotes(stage),
    ...(stage.pins.vertices.length === 0 ? [note('no-pins', {})] : []),
  ];
}

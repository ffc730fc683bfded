/**
 * A garment on a body that is posed while it runs: nobody knows the next pose. Time passes in fixed steps, and a call makes
 * a few of them at most, so that neither a slow host nor a stalled one changes how cloth moves.
 */
import { PliantError } from '../error.ts';
import { smoothingGroups, vertexNormals } from '../mesh/normals.ts';
import { firstNonFinite, type Mesh, splitVertexCount, validateMesh, vertexCount } from '../model/mesh.ts';
import type { Note } from '../model/note.ts';
import { type OptionsOf, type RunOptions, resolveOptions } from '../model/options.ts';
import { checkpoint } from '../model/run.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { type TrainedCloth, validateTrainedCloth } from '../model/trained-cloth.ts';
import { type BodyFrame, type BodyStart, farthestWay, settlingFrames } from './body-motion.ts';
import { type BoneCapsule, fitCapsules } from './capsules.ts';
import { Folds } from './folds.ts';
import { Grip } from './grip.ts';
import { LiveBody } from './live-body.ts';
import { LIVE_CLOTH_OPTIONS } from './options.ts';
import { requireCloth } from './require-cloth.ts';
import { learnedOf, ownOptions, trainedGarment } from './trained-garment.ts';
import type { Wind } from './wind.ts';
import { CLOTH_SPEED, type DressedBody, type Garment, wearGarment, wearNotes } from './worn.ts';

type Settings = OptionsOf<typeof LIVE_CLOTH_OPTIONS>;

/** Options of `LiveCloth.wear`. */
export interface LiveClothOptions extends Partial<Settings>, RunOptions {
  /** The pose that the body is in, 12B, rest → pose [default at rest]. */
  transforms?: Float32Array;
  given?: {
    /** Of the body in its rest pose [default fitted to the vertices that follow each bone]. */
    capsules?: readonly BoneCapsule[];
  };
}

const CALM: Wind = { velocity: [0, 0, 0], turbulence: 0, eddy: 1, seed: 1 };
const OPERATION = 'LiveCloth';

/**
 * A garment on a rig that is posed live. Lengths in metres, y up.
 *
 *     const cape = await LiveCloth.wear({ mesh, pinned }, figure);
 *     cape.pose(transforms);
 *     cape.advance(seconds); // since the last picture
 *     draw(cape.positions, cape.normals);
 */
export class LiveCloth {
  /** 3N: where the garment's vertices are. The same array all the time. */
  readonly positions: Float32Array;
  /** 3W: unit normals of its split vertices. The same array all the time. */
  readonly normals: Float32Array;
  /** How the garment sits: vertices inside the body, no pins. */
  readonly notes: readonly Note[];
  /** Milliseconds spent so far, by stage. */
  readonly spent = { coarse: 0, detail: 0, normals: 0 };
  readonly #mesh: Mesh;
  readonly #settings: Settings;
  readonly #body: LiveBody;
  readonly #worn: DressedBody;
  readonly #folds: Folds;
  readonly #grip: Grip;
  readonly #wind: Wind;
  readonly #smoothing: Uint32Array;
  /** Scratch of the normals. */
  readonly #sums: Float64Array;
  /** Where it was put on. */
  readonly #start: BodyStart;
  /** Steps that time has passed for and that were not made: −½…½. */
  #owed = 0;
  #bending: number;

  /** Dresses a body, and lets the garment settle. */
  static async wear(
    worn: Garment | TrainedCloth,
    model: SkinnedModel,
    options: LiveClothOptions = {},
  ): Promise<LiveCloth> {
    const trained = 'fine' in worn ? validateTrainedCloth(worn, OPERATION) : undefined;
    const garment = trained ? trainedGarment(trained) : (worn as Garment);
    const settings = resolveOptions(LIVE_CLOTH_OPTIONS, options, OPERATION, trained && ownOptions(trained));
    const { onProgress, signal, transforms, given } = options;
    requireCloth(OPERATION, garment);
    validateMesh(model.mesh, OPERATION);

    const body = new LiveBody(model);
    try {
      if (transforms) body.pose(transforms);
      const start = body.start();
      const stepTime = 1 / settings.stepsPerSecond;
      const wind = { ...(garment.wind ?? CALM) };
      const grip = new Grip(stepTime);
      const put = await wearGarment(
        { ...garment, wind },
        { sequence: { rest: model.mesh }, rig: { capsules: given?.capsules ?? fitCapsules(model) } },
        start,
        stepTime,
        { ...settings, onProgress, signal, guide: (cloth, _, count) => grip.pull(cloth, count) },
      );
      const live = new LiveCloth(garment.mesh, settings, { body, worn: put, wind, grip, start, trained });
      let k = 0;
      for (const _ of live.#settle(start)) await checkpoint(options, OPERATION, k++, live.#settling, 'settling');
      return live;
    } catch (error) {
      body.dispose();
      throw error;
    }
  }

  private constructor(
    mesh: Mesh,
    settings: Settings,
    parts: {
      body: LiveBody;
      worn: DressedBody;
      wind: Wind;
      grip: Grip;
      start: BodyStart;
      trained: TrainedCloth | undefined;
    },
  ) {
    this.#mesh = mesh;
    this.#settings = settings;
    this.#body = parts.body;
    this.#worn = parts.worn;
    const { rest, embedding, stage, solver } = parts.worn;
    const learned = parts.trained && learnedOf(parts.trained);
    this.#folds = new Folds({ ...rest, embedding, stage, ...learned }, settings, solver.body.x);
    this.#wind = parts.wind;
    this.#grip = parts.grip;
    this.#start = parts.start;
    this.#bending = settings.bending;
    this.#smoothing = smoothingGroups(mesh);
    this.notes = wearNotes(parts.worn);
    this.positions = new Float32Array(3 * vertexCount(mesh));
    this.normals = new Float32Array(3 * splitVertexCount(mesh));
    this.#sums = new Float64Array(this.normals.length);
  }

  /** 3V: where the vertices of the simulated mesh are. */
  get coarsePositions(): Float64Array {
    return this.#worn.solver.body.x;
  }

  /** Its triangles. */
  get coarseTriangles(): Uint32Array {
    return this.#worn.coarse.triangles;
  }

  /** Writes the garment as embedded in the simulated mesh, without folds, into `out` (3N): the same array every time. */
  embed(out: Float64Array): void {
    const { embedding, stage } = this.#worn;
    embedding.apply(this.coarsePositions, out);
    const free = new Float64Array(embedding.count).fill(1);
    for (const obstacle of stage.obstacles) {
      obstacle.push({ x: out, inverseMass: free, margin: stage.margin, friction: 0 });
    }
    stage.pins.hold(out);
  }

  /** The wind; undefined is none. May change at any time. */
  get wind(): Wind | undefined {
    return this.#wind.velocity.some((v) => v !== 0) ? { ...this.#wind } : undefined;
  }

  set wind(wind: Wind | undefined) {
    const { velocity, turbulence, eddy, seed } = wind ?? CALM;
    if (firstNonFinite([...velocity, turbulence, eddy, seed]) >= 0 || !(eddy > 0)) {
      throw bad(`wind (got ${[...velocity]}, expected finite numbers and eddies of some size)`);
    }
    Object.assign(this.#wind, { velocity, turbulence, eddy, seed });
  }

  /** Bending stiffness, N·m. May change at any time. */
  get bending(): number {
    return this.#bending;
  }

  set bending(bending: number) {
    resolveOptions({ bending: LIVE_CLOTH_OPTIONS.bending }, { bending }, OPERATION);
    if (bending === this.#bending) return;
    this.#bending = bending;
    this.#worn.setBending(bending);
    this.#folds.setBending(bending);
  }

  /**
   * Where the body shall be at the end of the next `advance`: 12B, rest → pose. `surface` (3M) are its vertices, if they are
   * known; otherwise they are skinned.
   */
  pose(transforms: Float32Array, surface?: Float32Array): void {
    this.#body.pose(transforms, surface);
  }

  /**
   * Time has passed: makes the steps that it is nearest to, and remembers the rest. Returns their number. A body that went
   * farther than cloth can follow, as after a jump to another place, takes the cloth along.
   */
  advance(seconds: number): number {
    const { stepsPerSecond, maxSteps } = this.#settings;
    if (!(seconds > 0 && seconds < Infinity)) return 0;
    // The nearest, not the last: pictures at about the rate of the steps then get one step each.
    const owed = this.#owed + seconds * stepsPerSecond;
    const due = Math.round(owed);
    const steps = Math.min(due, maxSteps);
    this.#owed = owed - due;
    if (steps === 0) return 0;
    this.#follow((steps * CLOTH_SPEED) / stepsPerSecond);
    for (const frame of this.#body.frames(steps)) this.#step(frame);
    this.#show();
    return steps;
  }

  /** Draws a vertex of the garment (0…N−1) to a place, softly, until it is released. */
  grab(vertex: number, x: number, y: number, z: number): void {
    const { embedding, solver } = this.#worn;
    if (!(vertex in embedding.hats) || vertex >= embedding.count) {
      throw bad(`vertex (got ${vertex}, expected 0 to ${embedding.count - 1})`);
    }
    if (firstNonFinite([x, y, z]) >= 0) throw bad(`place (got ${x}, ${y}, ${z}, expected finite numbers)`);
    this.#grip.hold(vertex, embedding, solver.body.x, this.#folds.x, [x, y, z]);
  }

  /** Lets go of the vertex. */
  release(): void {
    this.#grip.release();
  }

  /** Takes the cloth along to where the body is posed now, as if no time had passed. */
  carry(): void {
    this.#follow(0);
    this.#show();
  }

  /** Puts the garment on anew, on the body as it is posed now, and lets it settle. */
  reset(): void {
    const { solver, coarse } = this.#worn;
    const start = this.#body.start();
    this.release();
    solver.body.x.set(coarse.positions);
    solver.body.previous.set(coarse.positions);
    this.#carry(this.#body.motionBetween(this.#start, start), start);
    for (const _ of this.#settle(start));
  }

  /** Lets go of the body's kernels. */
  dispose(): void {
    this.#body.dispose();
  }

  get #settling(): number {
    return Math.max(1, Math.round(this.#settings.settle * this.#settings.stepsPerSecond));
  }

  /** The body goes from its start to its pose, and waits there. */
  *#settle(start: BodyStart): Generator<void> {
    for (const frame of settlingFrames(start, this.#settling)) {
      this.#step(frame);
      yield;
    }
    this.#body.arrive();
    this.#owed = 0;
    this.#show();
  }

  /** Takes the cloth along where the body as a whole moves any of it by more than `limit`. */
  #follow(limit: number): void {
    const motion = this.#body.motion;
    if (farthestWay(motion, this.coarsePositions) <= limit) return;
    this.#carry(motion, this.#body.goal);
    this.#body.arrive();
  }

  /** Moves the cloth by a rigid motion (12), to a body that is at `frame`. */
  #carry(motion: Float64Array, frame: BodyFrame): void {
    this.#worn.carry(motion, frame);
    this.#folds.reset(this.coarsePositions);
  }

  #step(frame: BodyFrame): void {
    const before = performance.now();
    this.#worn.next(frame);
    const between = performance.now();
    this.#folds.step(this.coarsePositions, 1 / this.#settings.stepsPerSecond);
    this.spent.coarse += between - before;
    this.spent.detail += performance.now() - between;
  }

  #show(): void {
    const before = performance.now();
    this.positions.set(this.#folds.x);
    vertexNormals(this.#mesh, this.positions, 'area', this.#smoothing, this.normals, this.#sums);
    this.spent.normals += performance.now() - before;
  }
}

const bad = (cause: string): PliantError => new PliantError('bad-input', OPERATION, cause);

/**
 * Mass and springs with Verlet integration and Jacobi strain limiting: the cloth of Feng 2010, §3.5, after Jakobsen
 * 2001, "Advanced character physics". Sub-steps are fixed and many, with few sweeps each: Macklin et al. 2019, "Small
 * steps in physics simulation", shows why that is the better way to spend the same number of sweeps.
 *
 * Deterministic: additions, multiplications, divisions and square roots in a fixed order. The same scene gives the same
 * bits on every engine that follows IEEE 754, as ECMAScript prescribes.
 */
import { signedVolume } from '../measure/area.ts';
import { addPressure } from './air.ts';
import { bendingFrequency2, bendingOf } from './bending.ts';
import { type ClothBody, clothBody, meanEdge } from './body.ts';
import { type ClothPasses, clothPasses } from './cloth-passes.ts';
import { collide } from './colliders.ts';
import type { ClothScene } from './scene.ts';
import { refreshPairs, selfCollision, separateLayers } from './self-collision.ts';
import { holdOnStage, moveStage } from './stage.ts';
import { subStepsFor } from './strain.ts';
import { windAt } from './wind.ts';

/** m/s². */
const GRAVITY = 9.81;
/** Slow forces are evaluated once in at most so many sub-steps. */
const MAX_HOLD = 6;
/** The time between two kicks, times the highest frequency of bending: stable below 2. */
const BENDING_STEP = 1;
/** The wind's eddies are looked up anew after so many seconds: they pass slowly, and noise is dear. */
const GUST_TIME = 0.005;

/** What goes on when one solver takes over from another. */
interface ClothClock {
  /** Seconds since the start. */
  readonly time: number;
  /** Seconds until slow forces are due again. */
  readonly untilKick: number;
}

/** A simulation that is stepped by its caller. */
export interface ClothSolver extends ClothClock {
  scene: ClothScene;
  body: ClothBody;
  /** Sub-steps per frame. */
  subSteps: number;
  /** Moves the cloth on by one frame. */
  frame(): void;
}

export interface SolverOptions {
  /** Seconds. */
  frameTime: number;
  /** Jacobi sweeps per sub-step. */
  sweeps: number;
  /** Multiplies the number of sub-steps [default 1]. */
  subStepFactor?: number;
  /** The clock of a solver that this one takes over from [default starts at 0]. */
  clock?: ClothClock;
  /** Called after sub-step s of `count`, before collisions: guides the cloth. */
  guide?(body: ClothBody, s: number, count: number): void;
}

/** A scene at its start, ready to move. */
export function clothSolver(scene: ClothScene, options: SolverOptions): ClothSolver {
  const { material, stage } = scene;
  const rest = clothBody(scene.mesh, material, scene.pinned);
  const bending = bendingOf(rest, material.bending);
  const passes = clothPasses(rest, bending);
  const { body } = passes;
  const edge = meanEdge(body.springs);
  const bendingStep = BENDING_STEP / Math.sqrt(bendingFrequency2(body, bending));
  const least = Math.max(
    subStepsFor(options.frameTime, edge, material.waveSpeed, options.sweeps),
    Math.ceil(options.frameTime / bendingStep),
  );
  const subSteps = Math.ceil(least * (options.subStepFactor ?? 1));
  const dt = options.frameTime / subSteps;
  const hold = Math.max(1, Math.min(MAX_HOLD, Math.floor(bendingStep / dt)));
  const layers =
    scene.layers > 0 ? selfCollision(body.x, Math.max(2 * material.thickness, scene.layers * edge)) : undefined;
  const forces = slowForces(scene, passes, dt);

  const { time: start, untilKick } = options.clock ?? { time: 0, untilKick: 0 };
  /** Sub-steps until slow forces are due. */
  let due = Math.round(untilKick / dt);
  let step = 0;
  return {
    scene,
    body,
    subSteps,
    get time() {
      return start + step * dt;
    },
    get untilKick() {
      return due * dt;
    },
    frame() {
      for (let s = 0; s < subSteps; s++, step++) {
        // The slow forces act as one kick for all sub-steps that they stand for, which keeps energy (Tuckerman, Berne
        // and Martyna 1992, r-RESPA); held constant in between they would lag behind the motion and feed it.
        const kick = due === 0;
        due = (kick ? hold : due) - 1;
        if (kick) forces(start + step * dt);
        passes.integrate(dt, kick ? hold : 0);
        if (stage) moveStage(stage, body, (s + 1) / subSteps);
        if (layers && kick) {
          refreshPairs(layers, body.x);
          separateLayers(layers, body, material.friction);
        }
        for (let sweep = 0; sweep < options.sweeps; sweep++) passes.limitStrain(material.compression);
        options.guide?.(body, s, subSteps);
        // Obstacles have the last word.
        collide(body, scene.colliders, material.thickness, material.friction);
        if (stage) holdOnStage(stage, body, material.friction, material.waveSpeed * dt);
      }
    },
  };
}

/** Fills `body.acceleration` at a time: gravity, air, pressure, bending, internal friction. */
function slowForces(scene: ClothScene, passes: ClothPasses, dt: number): (time: number) => void {
  const { material, wind, pressure } = scene;
  const { body, wind: air } = passes; // the air is at rest where there is no wind
  let nextGust = 0;
  const restVolume = pressure === undefined ? 0 : signedVolume(body.x, body.triangles);
  return (time) => {
    for (let i = 0; i < body.mass.length; i++) {
      body.acceleration[3 * i] = 0;
      body.acceleration[3 * i + 1] = body.inverseMass[i] === 0 ? 0 : -GRAVITY;
      body.acceleration[3 * i + 2] = 0;
    }
    if (wind && time >= nextGust) {
      windAt(wind, time, body.x, air);
      nextGust = time + GUST_TIME;
    }
    passes.addAir(dt);
    if (pressure !== undefined) {
      // Boyle: the gas inside answers a smaller volume with a higher pressure; down to a tenth, which nothing here reaches.
      const volume = Math.max(signedVolume(body.x, body.triangles), 0.1 * restVolume);
      addPressure(body, pressure * (restVolume / volume - 1));
    }
    passes.addBending();
    passes.addViscosity(material.viscosity, dt);
  };
}

import { posedSequence } from '../src/doors/skin.ts';
import { type MeshSequence, memorySequence } from '../src/index.ts';
import { type Random, seededRandom } from '../src/math/rng.ts';
import { makeSample } from '../src/samples.ts';

/** Motions for growth and order: what fits of more bones or richer ones are compared on. Made, so that anyone has them. */

type Vector = readonly [number, number, number];

const TURN = 2 * Math.PI;

/** A closed tube of rings around the x axis from 0 to 1, `radius(t)` thick. */
function tube(rings: number, sides: number, radius: (t: number) => number): { points: number[]; triangles: number[] } {
  const points: number[] = [];
  const triangles: number[] = [];
  for (let ring = 0; ring < rings; ring++) {
    const t = ring / (rings - 1);
    for (let s = 0; s < sides; s++) {
      const angle = (TURN * (s + (ring % 2) / 2)) / sides;
      points.push(t, radius(t) * Math.cos(angle), radius(t) * Math.sin(angle));
      if (ring + 1 === rings) continue;
      const i = ring * sides + s;
      const j = ring * sides + ((s + 1) % sides);
      triangles.push(i, j, i + sides, j, j + sides, i + sides);
    }
  }
  return { points, triangles };
}

/** x turned by `angle` about `axis`, a unit vector (Rodrigues). */
function turned([x, y, z]: Vector, [a, b, c]: Vector, angle: number): Vector {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const along = (1 - cos) * (a * x + b * y + c * z);
  return [
    cos * x + sin * (b * z - c * y) + along * a,
    cos * y + sin * (c * x - a * z) + along * b,
    cos * z + sin * (a * y - b * x) + along * c,
  ];
}

function direction(random: Random): Vector {
  const z = 2 * random() - 1;
  const angle = TURN * random();
  const r = Math.sqrt(1 - z * z);
  return [r * Math.cos(angle), r * Math.sin(angle), z];
}

/**
 * A toy of rigid parts on a tree of joints, each turning at its own pace. `give` is how far its parts give way, in their
 * lengths: 0 is exact.
 */
export function toy(parts: number, ringsPerPart: number, frames: number, give = 0): MeshSequence {
  const random = seededRandom(parts);
  const piece = tube(ringsPerPart, 8, (t) => 0.05 + 0.15 * Math.sin(Math.PI * t));
  const perPart = piece.points.length / 3;
  const joints = Array.from({ length: parts }, (_, j) => ({
    parent: j === 0 ? -1 : Math.floor(random() * j),
    towards: direction(random),
    axis: direction(random),
    pace: 1 + Math.floor(3 * random()),
    phase: TURN * random(),
    swing: 0.3 + 0.7 * random(),
  }));
  const triangles = joints.flatMap((_, j) => piece.triangles.map((i) => i + j * perPart));
  const pose = (angleOf: (j: number) => number, bend: number): Float32Array => {
    const out = new Float32Array(3 * parts * perPart);
    /** Where a point of part j is: turned with its joint at its parent's end, and with all joints before. */
    const place = (j: number, point: Vector): Vector => {
      const { parent, axis } = joints[j];
      const own = turned(point, axis, angleOf(j));
      if (parent < 0) return own;
      const [x, y, z] = joints[parent].towards;
      return place(parent, [own[0] + x, own[1] + y, own[2] + z]);
    };
    for (let j = 0; j < parts; j++) {
      // From the x axis to where the part points.
      const [x, y, z] = joints[j].towards;
      const length = Math.hypot(y, z);
      const about: Vector = [0, -z / length, y / length];
      for (let i = 0; i < perPart; i++) {
        const [t, u, v] = piece.points.slice(3 * i, 3 * i + 3);
        const local = turned([t, u + bend * angleOf(j) * t * t, v], about, Math.acos(x));
        out.set(place(j, local), 3 * (j * perPart + i));
      }
    }
    return out;
  };
  const rest = { positions: pose(() => 0, 0), triangles: Uint32Array.from(triangles) };
  const poses = Array.from({ length: frames }, (_, k) =>
    pose((j) => joints[j].swing * Math.sin((TURN * joints[j].pace * k) / frames + joints[j].phase), give),
  );
  return memorySequence(`toy of ${parts}${give > 0 ? ' that gives' : ''}`, rest, poses);
}

/** A bird: a body, a tail, and two wings that bend along their length while they flap and glide. */
export function bird(along: number, frames: number): MeshSequence {
  const across = Math.round(along / 4);
  const points: Vector[] = [];
  const triangles: number[] = [];
  for (let a = 0; a <= 2 * along; a++) {
    const span = a / along - 1;
    const chord = 0.35 * (1 - 0.7 * span * span) + 0.5 * Math.exp(-80 * span * span);
    for (let c = 0; c <= across; c++) {
      points.push([span, 0.06 * Math.exp(-60 * span * span), chord * (c / across - 0.4)]);
      if (a === 2 * along || c === across) continue;
      const i = a * (across + 1) + c;
      triangles.push(i, i + 1, i + across + 2, i, i + across + 2, i + across + 1);
    }
  }
  const pose = (beat: number, glide: number): Float32Array => {
    const out = new Float32Array(3 * points.length);
    points.forEach(([span, up, chord], i) => {
      // The wing is a curve of constant length; its slope runs behind towards the tip.
      const steps = 24;
      let [x, y] = [0, 0];
      let slope = 0;
      for (let s = 0; s < steps; s++) {
        const at = (Math.abs(span) * (s + 0.5)) / steps;
        slope = (0.9 - 0.5 * glide) * Math.sin(beat - 1.4 * at) * Math.min(1, at / 0.1);
        x += (Math.abs(span) / steps) * Math.cos(slope);
        y += (Math.abs(span) / steps) * Math.sin(slope);
      }
      const twist = 0.5 * Math.abs(span) * Math.cos(beat - Math.abs(span));
      const tail = chord < -0.2 && Math.abs(span) < 0.1 ? 0.4 * Math.sin(2 * beat) * (chord + 0.2) : 0;
      out.set([Math.sign(span) * x, y + up + twist * chord + tail - 0.1 * Math.sin(beat), chord], 3 * i);
    });
    return out;
  };
  const rest = { positions: Float32Array.from(points.flat()), triangles: Uint32Array.from(triangles) };
  const poses = Array.from({ length: frames }, (_, k) =>
    pose((3 * TURN * k) / frames, Math.max(0, Math.sin((TURN * k) / frames))),
  );
  return memorySequence('bird', rest, poses);
}

/** A sphere whose spikes all sway on their own: more bones help until every spike has one. */
export function spikes(count: number, resolution: number, frames: number): MeshSequence {
  const random = seededRandom(count);
  const tips = Array.from({ length: count }, () => ({
    at: direction(random),
    axis: direction(random),
    pace: 1 + Math.floor(4 * random()),
  }));
  const ball = tube(resolution, 2 * resolution, (t) => Math.sqrt(Math.max(1e-4, t - t * t)));
  const near = (point: Vector, at: Vector): number =>
    Math.exp(-40 * (1 - point[0] * at[0] - point[1] * at[1] - point[2] * at[2]));
  const directions = Array.from({ length: ball.points.length / 3 }, (_, i): Vector => {
    const [x, y, z] = [2 * ball.points[3 * i] - 1, 2 * ball.points[3 * i + 1], 2 * ball.points[3 * i + 2]];
    const length = Math.hypot(x, y, z);
    return [x / length, y / length, z / length];
  });
  const pose = (angle: (pace: number) => number): Float32Array => {
    const out = new Float32Array(ball.points.length);
    directions.forEach((point, i) => {
      let [x, y, z] = point;
      for (const { at, axis, pace } of tips) {
        const share = near(point, at);
        const spike = turned(at, axis, angle(pace));
        for (const [c, d] of spike.entries()) {
          if (c === 0) x += share * d;
          else if (c === 1) y += share * d;
          else z += share * d;
        }
      }
      out.set([x, y, z], 3 * i);
    });
    return out;
  };
  const poses = Array.from({ length: frames }, (_, k) => pose((pace) => 0.6 * Math.sin((TURN * pace * k) / frames)));
  return memorySequence('spikes', { positions: pose(() => 0), triangles: Uint32Array.from(ball.triangles) }, poses);
}

/** The sample figure in one of its clips, by any operator. */
export async function figure(
  vertices: number,
  frames: number,
  clip: string,
  operator: 'lbs' | 'dqs',
): Promise<MeshSequence> {
  const { model } = await makeSample('figure', { resolution: vertices, frames });
  return { ...posedSequence(model!, clip, { operator }), name: `figure, ${clip}, ${operator}` };
}

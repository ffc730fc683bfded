import { type Signal, signal } from '@preact/signals-core';
import type { Doc } from '../core/doc.ts';
import { inspectedJoints, inspectedModels } from '../core/inspect/inspected.ts';
import { verticesOfJoints } from '../core/paint/skin-paints.ts';
import type { JointTree } from '../core/rig/joint-tree.ts';
import type { PosedRig } from '../core/rig/posed-rig.ts';
import type { FitView } from './fit-view.ts';
import { JointPicker } from './joint-picker.ts';
import { JointsView } from './joints.ts';
import type { Found } from './nearest-on-screen.ts';
import type { RigPart } from './rigs-view.ts';
import type { Viewport } from './viewport.ts';

/** The joint below the pointer, and its place on the canvas in CSS pixels. */
export interface PointedJoint {
  name: string;
  /** Number of vertices that it moves. */
  vertices: number;
  x: number;
  y: number;
}

/** Everything with joints. */
export interface Jointed {
  fit?: FitView;
  parts: readonly RigPart[];
  motions: readonly PosedRig[];
}

/** The joints of the inspected models, drawn on top: they have names and can be picked. */
export class JointsOver {
  readonly pointed: Signal<PointedJoint | undefined> = signal(undefined);
  readonly picker: JointPicker;
  readonly #doc: Doc;
  readonly #viewport: Viewport;
  #shown?: { tree: JointTree; view: JointsView; vertices: Uint32Array };

  constructor(doc: Doc, viewport: Viewport) {
    this.#doc = doc;
    this.#viewport = viewport;
    this.picker = new JointPicker(viewport, {
      point: (found) => this.#point(found),
      pick: (joint) => this.#pick(joint),
    });
  }

  /** Shows them at their current places, or hides them. */
  show({ fit, parts, motions }: Jointed, wanted: boolean): void {
    const doc = this.#doc;
    const joints = inspectedJoints(doc);
    const tree = wanted && joints.names.length > 0 ? joints : undefined;
    if (tree !== this.#shown?.tree) {
      this.#drop();
      if (tree) {
        const vertices = verticesOfJoints(inspectedModels(doc), tree);
        const blends = Array.from(vertices.keys()).filter((j) => this.#blendBone(j) >= 0);
        this.#shown = { tree, vertices, view: new JointsView(tree.parents, vertices, blends) };
        this.#viewport.over.add(this.#shown.view.object);
      }
    }
    if (!this.#shown) return;
    const rigs = parts.length > 0 ? parts.map(({ rig }) => rig) : motions;
    const positions = fit?.joints() ?? jointPlaces(this.#shown.tree, rigs);
    const { joint, paint } = doc;
    const marked = paint.value === 'influence' && (joint.value ?? Infinity) < this.#shown.vertices.length;
    this.#shown.view.show(positions, marked ? joint.value : undefined);
    this.picker.positions = positions;
    this.picker.pickable = this.#shown.vertices;
  }

  dispose(): void {
    this.picker.dispose();
    this.#drop();
  }

  #pick(joint: number): void {
    const doc = this.#doc;
    const blend = this.#blendBone(joint);
    if (blend >= 0) doc.showBlendBone(blend);
    // Where joints are turned, a click selects the one.
    else if (doc.turning.peek()) doc.joint.value = joint;
    else doc.showInfluence(joint);
  }

  #point(found: Found | undefined): void {
    const { tree, vertices } = this.#shown ?? {};
    this.pointed.value = found &&
      tree &&
      vertices && { name: tree.names[found.index], vertices: vertices[found.index], x: found.x, y: found.y };
  }

  /** Index of the blend bone of a joint, or −1; results have none. */
  #blendBone(joint: number): number {
    return this.#doc.fit.peek() ? -1 : this.#doc.rig.blendBoneAt(joint);
  }

  #drop(): void {
    if (!this.#shown) return;
    this.#viewport.over.remove(this.#shown.view.object);
    this.#shown.view.dispose();
    this.#shown = undefined;
    this.picker.positions = undefined;
    this.pointed.value = undefined;
  }
}

/** 3 per joint: its place in the first rig that has it. */
function jointPlaces({ names, jointsOf }: JointTree, rigs: readonly PosedRig[]): Float32Array {
  const out = new Float32Array(3 * names.length);
  for (const rig of rigs.toReversed()) {
    const here = rig.joints();
    jointsOf.get(rig.skeleton)?.forEach((joint, j) => {
      out.set(here.subarray(3 * j, 3 * j + 3), 3 * joint);
    });
  }
  return out;
}

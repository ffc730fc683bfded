import { type Signal, signal } from '@preact/signals-core';
import type { Doc } from '../core/doc.ts';
import { inspectedModels } from '../core/inspected.ts';
import { verticesOfJoints } from '../core/skin-paints.ts';
import type { FitView } from './fit-view.ts';
import { JointPicker } from './joint-picker.ts';
import { JointsView } from './joints.ts';
import type { Found } from './nearest-on-screen.ts';
import type { PosedRig } from './posed-rig.ts';
import type { RigPart } from './rigs-view.ts';
import type { Viewport } from './viewport.ts';

/** A joint below the pointer, at a place of the canvas in CSS pixels. */
export interface PointedJoint {
  name: string;
  /** How many vertices follow it. */
  vertices: number;
  x: number;
  y: number;
}

/** What there is that has joints. */
export interface Jointed {
  fit?: FitView;
  parts: readonly RigPart[];
  motions: readonly PosedRig[];
}

/** The joints of what is looked at, in front of it: they say their names and can be picked. */
export class JointsOver {
  readonly pointed: Signal<PointedJoint | undefined> = signal(undefined);
  readonly picker: JointPicker;
  readonly #doc: Doc;
  readonly #viewport: Viewport;
  /** `part`: of the rigs, −1 for joints of something else. */
  #shown?: { rig: PosedRig; part: number; view: JointsView; vertices: Uint32Array };

  constructor(doc: Doc, viewport: Viewport) {
    this.#doc = doc;
    this.#viewport = viewport;
    this.picker = new JointPicker(viewport, {
      point: (found) => this.#point(found),
      pick: (joint) => this.#pick(joint),
    });
  }

  /** Shows them where they are now; none when they are not wanted. */
  show({ fit, parts, motions }: Jointed, wanted: boolean): void {
    const doc = this.#doc;
    const models = inspectedModels(doc);
    const part = fit ? -1 : parts.findIndex(({ model }) => model.skeleton === models[0]?.skeleton);
    const rig = wanted ? (fit?.parts[0].rig ?? parts[part]?.rig ?? motions[0]) : undefined;
    if (rig !== this.#shown?.rig) {
      this.#drop();
      if (rig) {
        const skins = models.map(({ weights }) => weights);
        const vertices = verticesOfJoints(skins, rig.skeleton);
        const blends = Array.from(vertices.keys()).filter((j) => doc.rig.blendBoneAt(part, j) >= 0);
        this.#shown = { rig, part, vertices, view: new JointsView(rig.skeleton.parents, vertices, blends) };
        this.#viewport.over.add(this.#shown.view.object);
      }
    }
    if (!this.#shown) return;
    const positions = fit?.joints() ?? this.#shown.rig.joints();
    const { joint, paint } = doc;
    const marked = paint.value === 'influence' && joint.value < this.#shown.vertices.length;
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
    const blend = doc.rig.blendBoneAt(this.#shown?.part ?? -1, joint);
    if (blend >= 0) doc.showBlendBone(blend);
    // Where joints are turned, a press chooses the one to turn.
    else if (doc.panel.peek() === 'rig') doc.joint.value = joint;
    else doc.showInfluence(joint);
  }

  #point(found: Found | undefined): void {
    const { rig, vertices } = this.#shown ?? {};
    this.pointed.value = found &&
      rig &&
      vertices && {
        name: rig.skeleton.names[found.index] || `joint ${found.index}`,
        vertices: vertices[found.index],
        x: found.x,
        y: found.y,
      };
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

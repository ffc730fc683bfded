import type { Page } from 'playwright-core';
import { pictureShown } from './picture-shown.ts';

/**
 * What the page's own shaders compute, as numbers. Every program that the page links also captures `gl_Position` by
 * transform feedback, and on request the draws of lit surfaces are recorded: nothing of the page is changed or copied.
 */

/** A surface as it was drawn once. */
export interface DrawnSurface {
  triangles: number;
  /** 3W: where its vertices are in the scene. */
  positions: Float32Array;
  /** Column-major 4 × 4: from the scene to the eye. */
  modelView: number[];
}

/** To be called before the page is opened. */
export const listenToDraws = (page: Page): Promise<unknown> => page.addInitScript(listen);

/** Every draw of a lit surface in the next picture, after everything was brought into view. */
export const drawnSurfaces = (page: Page): Promise<DrawnSurface[]> =>
  drawsDuring(page, () => page.evaluate(() => dispatchEvent(new KeyboardEvent('keydown', { key: 'f' }))));

/** Every draw of a lit surface while something is done that asks for pictures, and in the first after it. */
export async function drawsDuring(page: Page, act: () => Promise<unknown>): Promise<DrawnSurface[]> {
  await pictureShown(page);
  await page.evaluate(() => {
    (globalThis as Recording).draws = [];
  });
  await act();
  await pictureShown(page);
  const drawn = await page.evaluate(async () => {
    const { draws = [] } = globalThis as Recording;
    // What was asked for last is drawn in the next frame or the one after it.
    for (let look = 0; look < 2 || (draws.length === 0 && look < 5000); look++) {
      await new Promise((done) => requestAnimationFrame(done));
    }
    (globalThis as Recording).draws = undefined;
    return draws;
  });
  return drawn.map(inScene);
}

interface Recorded {
  triangles: number;
  /** 4W. */
  clip: number[];
  /** Column-major 4 × 4. */
  modelView: number[];
  projection: number[];
}

type Recording = typeof globalThis & { draws?: Recorded[] };

/** Runs in the page before anything of its own. */
function listen(): void {
  const prototype = WebGL2RenderingContext.prototype;
  const { linkProgram, drawElements } = prototype;
  prototype.linkProgram = function link(program) {
    this.transformFeedbackVaryings(program, ['gl_Position'], this.INTERLEAVED_ATTRIBS);
    linkProgram.call(this, program);
  };
  prototype.drawElements = function draw(mode, count, type, offset) {
    drawElements.call(this, mode, count, type, offset);
    const { draws } = globalThis as Recording;
    const program = this.getParameter(this.CURRENT_PROGRAM) as WebGLProgram;
    // Only lit materials have highlights; shadows are drawn with others.
    if (!draws || mode !== this.TRIANGLES || this.getUniformLocation(program, 'specular') === null) return;
    const indices = type === this.UNSIGNED_INT ? new Uint32Array(count) : new Uint16Array(count);
    this.getBufferSubData(this.ELEMENT_ARRAY_BUFFER, offset, indices);
    let vertices = 0;
    for (const v of indices) vertices = Math.max(vertices, v + 1);
    // What went wrong before is not to be told here.
    this.getError();
    // The same vertices once more, each once, into a buffer: WebGL captures no indexed draws.
    const buffer = this.createBuffer();
    this.bindBuffer(this.TRANSFORM_FEEDBACK_BUFFER, buffer);
    this.bufferData(this.TRANSFORM_FEEDBACK_BUFFER, 16 * vertices, this.STREAM_READ);
    this.bindBufferBase(this.TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    this.enable(this.RASTERIZER_DISCARD);
    this.beginTransformFeedback(this.POINTS);
    this.drawArrays(this.POINTS, 0, vertices);
    this.endTransformFeedback();
    this.disable(this.RASTERIZER_DISCARD);
    this.bindBufferBase(this.TRANSFORM_FEEDBACK_BUFFER, 0, null);
    this.bindBuffer(this.TRANSFORM_FEEDBACK_BUFFER, null);
    this.bindBuffer(this.COPY_READ_BUFFER, buffer);
    const clip = new Float32Array(4 * vertices);
    this.getBufferSubData(this.COPY_READ_BUFFER, 0, clip);
    this.deleteBuffer(buffer);
    const trouble = this.getError();
    if (trouble !== this.NO_ERROR) throw new Error(`WebGL says ${trouble}`);
    const uniform = (name: string) =>
      Array.from(this.getUniform(program, this.getUniformLocation(program, name)!) as Float32Array);
    draws.push({
      triangles: count / 3,
      clip: Array.from(clip),
      modelView: uniform('modelViewMatrix'),
      projection: uniform('projectionMatrix'),
    });
  };
}

/** Takes projection and camera back: the fourth clip coordinate is the depth, exactly; the camera is a rigid motion. */
function inScene({ triangles, clip, modelView: m, projection }: Recorded): DrawnSurface {
  const positions = new Float32Array((3 * clip.length) / 4);
  for (let w = 0; w < clip.length / 4; w++) {
    const depth = clip[4 * w + 3];
    const x = (clip[4 * w] + projection[8] * depth) / projection[0] - m[12];
    const y = (clip[4 * w + 1] + projection[9] * depth) / projection[5] - m[13];
    const z = -depth - m[14];
    for (let c = 0; c < 3; c++) positions[3 * w + c] = m[4 * c] * x + m[4 * c + 1] * y + m[4 * c + 2] * z;
  }
  return { triangles, positions, modelView: m };
}

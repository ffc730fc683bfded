import { SRGBColorSpace, type WebGLRenderer, WebGLRenderTarget } from 'three';
import { dotScale } from './joints.ts';

const SAMPLES = 4;

/** Properties that three.js keeps of a target. */
interface Drawn {
  __webglFramebuffer: WebGLFramebuffer;
}

/** In CSS pixels, from the lower left. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Where panes are drawn: on the canvas itself, or off screen in software. A browser without a GPU reads a WebGL canvas in
 * the same animation frame, and the page waits until it is drawn. An off-screen frame is read once it is finished, and
 * copied to a 2D canvas.
 */
export class PaneTarget {
  readonly #renderer: WebGLRenderer;
  /** Canvas for frames drawn off screen. */
  readonly #screen?: CanvasRenderingContext2D;
  /** Made on first use. */
  #plain?: WebGLRenderTarget;
  #samples?: WebGLRenderTarget;
  /** The off-screen frame that is not shown yet. */
  #picture?: WebGLRenderTarget;
  /** Pixels per CSS pixel. */
  #ratio = 1;
  /** The driver's copy of the off-screen frame, */
  #copy: WebGLBuffer | null = null;
  /** and what was last read from it, as it came and as it is shown. */
  #pixels = new Uint8Array();
  #image?: ImageData;
  /** Signalled by the driver after the off-screen frame. */
  #fence: WebGLSync | null = null;

  constructor(renderer: WebGLRenderer, screen?: CanvasRenderingContext2D) {
    this.#renderer = renderer;
    this.#screen = screen;
  }

  /** Clears it. @param size In CSS pixels. @param ratio Pixels per CSS pixel. @param smooth Whether to antialias. */
  begin(size: { width: number; height: number }, ratio: number, smooth: boolean): void {
    const [width, height] = [size.width, size.height].map((length) => Math.floor(length * ratio));
    this.#ratio = ratio;
    dotScale.value = ratio;
    if (this.#screen) {
      this.#picture = smooth ? (this.#samples ??= screenTarget(SAMPLES)) : (this.#plain ??= screenTarget(0));
      this.#picture.setSize(width, height);
      this.#picture.scissorTest = false;
      this.#renderer.setRenderTarget(this.#picture);
    } else {
      const { domElement: canvas } = this.#renderer;
      // Waits for the GPU to finish.
      if (canvas.width !== width || canvas.height !== height) this.#renderer.setSize(width, height, false);
      this.#renderer.setScissorTest(false);
    }
    this.#renderer.clear();
  }

  /** Draws to the `seen` part of `pane` from now on. */
  aim(pane: Box, seen: Box): void {
    const pixels = (from: number, length: number): [number, number] => {
      const first = Math.floor(from * this.#ratio);
      // Adjacent panes share their edge.
      return [first, Math.floor((from + length) * this.#ratio) - first];
    };
    const [viewport, scissor] = [pane, seen].map((box): [number, number, number, number] => {
      const [[x, width], [y, height]] = [pixels(box.x, box.width), pixels(box.y, box.height)];
      return [x, y, width, height];
    });
    if (this.#picture) {
      this.#picture.viewport.set(...viewport);
      this.#picture.scissor.set(...scissor);
      this.#picture.scissorTest = true;
      this.#renderer.setRenderTarget(this.#picture);
    } else {
      this.#renderer.setViewport(...viewport);
      this.#renderer.setScissor(...scissor);
      this.#renderer.setScissorTest(true);
    }
  }

  /** All drawing commands are issued. */
  end(): void {
    if (!this.#picture) return;
    const gl = this.#gl;
    const { width, height } = this.#picture;
    // Resolves multisampling into the framebuffer that is read.
    const { __webglFramebuffer: drawn } = this.#renderer.properties.get(this.#picture) as Drawn;
    this.#renderer.state.bindFramebuffer(gl.FRAMEBUFFER, drawn);
    this.#copy ??= gl.createBuffer();
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, this.#copy);
    gl.bufferData(gl.PIXEL_PACK_BUFFER, 4 * width * height, gl.STREAM_READ);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, 0);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    this.#renderer.setRenderTarget(null);
    this.#fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
  }

  /** Whether the driver has not finished a frame. */
  get busy(): boolean {
    const gl = this.#gl;
    return this.#fence !== null && gl.getSyncParameter(this.#fence, gl.SYNC_STATUS) !== gl.SIGNALED;
  }

  /** Shows the off-screen frame, if any; waits until it is finished. */
  show(opaque: boolean): void {
    const picture = this.#picture;
    if (!picture) return;
    const gl = this.#gl;
    const { width, height } = picture;
    const { canvas } = this.#screen!;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    if (this.#image?.width !== width || this.#image.height !== height) {
      this.#image = this.#screen!.createImageData(width, height);
      this.#pixels = new Uint8Array(this.#image.data.length);
    }
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, this.#copy);
    gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, this.#pixels);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    this.drop();
    screenPixels(this.#pixels, width, this.#image.data, opaque);
    this.#screen!.putImageData(this.#image, 0, 0);
  }

  /** Drops the off-screen frame. */
  drop(): void {
    this.#gl.deleteSync(this.#fence);
    this.#gl.deleteBuffer(this.#copy);
    this.#fence = this.#copy = null;
    this.#picture = undefined;
  }

  dispose(): void {
    this.drop();
    this.#plain?.dispose();
    this.#samples?.dispose();
  }

  get #gl(): WebGL2RenderingContext {
    return this.#renderer.getContext() as WebGL2RenderingContext;
  }
}

/** Colours are made for the screen, as those for glasses are, and not for another picture. */
function screenTarget(samples: number): WebGLRenderTarget {
  const options = { samples, colorSpace: SRGBColorSpace, internalFormat: 'RGBA8' } as const;
  return Object.assign(new WebGLRenderTarget(1, 1, options), { isXRRenderTarget: true });
}

/**
 * Converts WebGL pixels for a 2D canvas: rows from the top, and colours not premultiplied by alpha.
 *
 * @param drawn 4 per pixel, rows from the bottom. @param pixels The same, rows from the top. @param opaque Whether all are.
 */
export function screenPixels(drawn: Uint8Array, width: number, pixels: Uint8ClampedArray, opaque: boolean): void {
  const row = 4 * width;
  for (let from = 0, to = drawn.length - row; to >= 0; from += row, to -= row) {
    pixels.set(drawn.subarray(from, from + row), to);
  }
  for (let p = 0; !opaque && p < pixels.length; p += 4) {
    const opacity = pixels[p + 3];
    for (let c = p; c < p + 3; c++) pixels[c] = opacity && (255 * pixels[c]) / opacity;
  }
}

import { SRGBColorSpace, type WebGLRenderer, WebGLRenderTarget } from 'three';
import { dotScale } from './joints.ts';

const SAMPLES = 4;

/** What three.js knows of a target. */
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
 * Where panes are drawn: on the canvas itself, or aside, where the processor draws. A browser that has no graphics card
 * fetches what is on a canvas of WebGL in the same animation frame, and the page waits until it is drawn. A picture that is
 * drawn aside is fetched once it is finished, and put on a canvas that the page itself draws on.
 */
export class PaneTarget {
  readonly #renderer: WebGLRenderer;
  /** Where pictures that are drawn aside are shown. */
  readonly #screen?: CanvasRenderingContext2D;
  /** Made when they are first wanted. */
  #plain?: WebGLRenderTarget;
  #samples?: WebGLRenderTarget;
  /** The picture aside that is not shown yet. */
  #picture?: WebGLRenderTarget;
  /** Pixels for one of CSS. */
  #ratio = 1;
  /** The driver's copy of the picture aside, */
  #copy: WebGLBuffer | null = null;
  /** and what was last fetched of it, as it came and as it is shown. */
  #pixels = new Uint8Array();
  #image?: ImageData;
  /** Passed by the driver after the picture aside. */
  #fence: WebGLSync | null = null;

  constructor(renderer: WebGLRenderer, screen?: CanvasRenderingContext2D) {
    this.#renderer = renderer;
    this.#screen = screen;
  }

  /** Empties it. @param size In CSS pixels. @param ratio Pixels for one of them. @param smooth Whether edges are. */
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
      // Waits for the graphics card to finish what it has.
      if (canvas.width !== width || canvas.height !== height) this.#renderer.setSize(width, height, false);
      this.#renderer.setScissorTest(false);
    }
    this.#renderer.clear();
  }

  /** What is drawn next goes to `pane`, as far as it is `seen`. */
  aim(pane: Box, seen: Box): void {
    const pixels = (from: number, length: number): [number, number] => {
      const first = Math.floor(from * this.#ratio);
      // Where one ends the next begins.
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

  /** Everything is on its way. */
  end(): void {
    if (!this.#picture) return;
    const gl = this.#gl;
    const { width, height } = this.#picture;
    // Of samples the framebuffer that is read has the means.
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

  /** Whether there is a picture that the driver has not finished. */
  get busy(): boolean {
    const gl = this.#gl;
    return this.#fence !== null && gl.getSyncParameter(this.#fence, gl.SYNC_STATUS) !== gl.SIGNALED;
  }

  /** The picture that was drawn aside, if there is one, goes to the screen: waits until it is finished. */
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

  /** The picture aside is not wanted any more, or lost. */
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
 * What WebGL has drawn as canvases in two dimensions want it: from the top, and with colours that are not multiplied by
 * their opacity. @param drawn 4 for each pixel, row by row from the bottom. @param pixels The same from the top.
 * @param opaque Whether all of it is.
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

import { SRGBColorSpace, Vector2, type WebGLRenderer, WebGLRenderTarget } from 'three';

const SAMPLES = 4;

/** In CSS pixels, from the lower left. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Where panes are drawn: on the canvas itself, or on samples whose means the canvas gets, for smooth edges on a canvas
 * that has none.
 */
export class PaneTarget {
  readonly #renderer: WebGLRenderer;
  /** Made when it is first wanted. */
  #samples?: WebGLRenderTarget;
  #sampled = false;

  constructor(renderer: WebGLRenderer) {
    this.#renderer = renderer;
  }

  /** Empties it. */
  begin(smooth: boolean): void {
    this.#sampled = smooth && !this.#renderer.getContextAttributes().antialias;
    if (this.#sampled) {
      const { width, height } = this.#renderer.getDrawingBufferSize(new Vector2());
      this.#samples ??= screenSamples();
      this.#samples.setSize(width, height);
      this.#samples.scissorTest = false;
      this.#renderer.setRenderTarget(this.#samples);
    }
    this.#renderer.setScissorTest(false);
    this.#renderer.clear();
  }

  /** What is drawn next goes to `pane`, as far as it is `seen`. */
  aim(pane: Box, seen: Box): void {
    if (!this.#sampled) {
      this.#renderer.setViewport(pane.x, pane.y, pane.width, pane.height);
      this.#renderer.setScissor(seen.x, seen.y, seen.width, seen.height);
      this.#renderer.setScissorTest(true);
      return;
    }
    const ratio = this.#renderer.getPixelRatio();
    const { viewport, scissor } = this.#samples!;
    viewport.set(pane.x, pane.y, pane.width, pane.height).multiplyScalar(ratio).floor();
    scissor.set(seen.x, seen.y, seen.width, seen.height).multiplyScalar(ratio).floor();
    this.#samples!.scissorTest = true;
    this.#renderer.setRenderTarget(this.#samples!);
  }

  /** Everything is drawn: the canvas gets it. */
  end(): void {
    if (!this.#sampled) return;
    const { state, properties } = this.#renderer;
    const gl = this.#renderer.getContext() as WebGL2RenderingContext;
    const { width, height } = this.#samples!;
    const { __webglFramebuffer: means } = properties.get(this.#samples!) as { __webglFramebuffer: WebGLFramebuffer };
    this.#renderer.setRenderTarget(null);
    this.#renderer.setScissorTest(false);
    state.setScissorTest(false);
    state.bindFramebuffer(gl.READ_FRAMEBUFFER, means);
    state.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    state.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
  }

  dispose(): void {
    this.#samples?.dispose();
  }
}

/** Colours are made for the screen, as those for glasses are, and not for another picture. */
function screenSamples(): WebGLRenderTarget {
  const options = { samples: SAMPLES, colorSpace: SRGBColorSpace, internalFormat: 'RGBA8' } as const;
  return Object.assign(new WebGLRenderTarget(1, 1, options), { isXRRenderTarget: true });
}

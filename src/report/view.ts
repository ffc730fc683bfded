import { SMALL_GLB } from '../io/glb/options.ts';
import { writeMeshGlb, writeModelGlb, writeSequenceGlb } from '../io/write-glb.ts';
import type { Mesh } from '../model/mesh.ts';
import { choiceOption, type RunOptions } from '../model/options.ts';
import type { MeshSequence } from '../model/sequence.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { base64 } from './base64.ts';
import { escapeText } from './charts.ts';
import { type PageView, section } from './page.ts';

/**
 * The interactive view of a page: what it shows as GLBs inside the page, and the script that draws them (adapters/view,
 * bundled with three.js by scripts/view-script.mjs). Without scripts, without WebGL2 and on paper it does not appear.
 */

export const VIEW_OPTIONS = {
  view: choiceOption(
    'auto',
    ['auto', 'always', 'never'],
    'interactive 3D view in the report; auto: where it takes at most 5 MB',
  ),
} as const;

/** When a page has an interactive view. */
export type ViewChoice = (typeof VIEW_OPTIONS.view.choices)[number];

/** Bytes of GLBs that a page carries unasked. */
const MOST_BYTES = 5e6;

/** What a button of the view shows, all of it at once. Models of operator `mix` are drawn so. */
export interface Viewed {
  name: string;
  models?: readonly SkinnedModel[];
  meshes?: readonly Mesh[];
  sequences?: readonly MeshSequence[];
  /** Where it is large, the view does without it. */
  optional?: boolean;
}

/** The view of what a page is about; undefined where there is to be none. `legend` (HTML) explains the colours of errors. */
export async function pageView(
  when: ViewChoice = VIEW_OPTIONS.view.default,
  shown: readonly Viewed[],
  legend = '',
  run: RunOptions = {},
): Promise<PageView | undefined> {
  if (when === 'never') return undefined;
  const most = when === 'always' ? Number.POSITIVE_INFINITY : MOST_BYTES;
  const data: string[] = [];
  let bytes = 0;
  for (const viewed of shown) {
    const glbs = bytes + leastBytes(viewed) > most ? undefined : await glbsOf(viewed, run);
    const more = glbs?.reduce((sum, glb) => sum + glb.length, bytes) ?? Number.POSITIVE_INFINITY;
    if (glbs && more <= most) {
      const name = escapeText(viewed.name);
      for (const glb of glbs) data.push(`<script type="model/gltf-binary" data-name="${name}">${base64(glb)}</script>`);
      bytes = more;
    } else if (!viewed.optional) return undefined;
  }
  if (data.length === 0) return undefined;
  const { VIEW_SCRIPT, VIEW_STARTER, VIEW_HASHES } = await import('./view-script.generated.ts');
  return {
    section: section('In 3D', HINT, `${FRAME}<div class="errors" hidden>${legend}</div>${data.join('\n')}`).replace(
      '<section>',
      '<section id="view" hidden>',
    ),
    // The script is known by its hash. It unpacks meshes by WebAssembly.
    policy: `; script-src ${VIEW_HASHES.map((hash) => `'${hash}'`).join(' ')} 'wasm-unsafe-eval'`,
    scripts: `<script type="text/plain" id="view-script">${VIEW_SCRIPT}</script>\n<script>${VIEW_STARTER}</script>`,
  };
}

const HINT =
  'Drag to turn, with the right button or two fingers to move; pinch to zoom, or scroll after a click. Double-click to see all.';

const FRAME =
  '<div class="controls"><div class="looks" role="group" aria-label="What is shown"></div><select aria-label="Clip" hidden></select></div>' +
  '<canvas tabindex="0" aria-label="Interactive 3D view"></canvas>' +
  '<div class="controls time" hidden><button type="button">Play</button>' +
  '<input type="range" min="0" max="1" step="any" value="0" aria-label="Time"><output></output></div>';

/** A byte per number of every frame: no sequence is stored in less, so that large ones need not be written to know. */
const leastBytes = ({ sequences = [] }: Viewed): number =>
  sequences.reduce((sum, { rest, frameCount }) => sum + frameCount * rest.positions.length, 0);

/** In one colour: pictures and textures stay outside, and shapes are what reports are about. */
const AS_CLAY = { ...SMALL_GLB, uvs: false, materials: false } as const;

/** Influences that every renderer draws. */
const INFLUENCES = 4;

/** A file for each kind of thing. */
async function glbsOf({ models = [], meshes = [], sequences = [] }: Viewed, run: RunOptions): Promise<Uint8Array[]> {
  const plain = sequences.map((sequence) => ({
    ...sequence,
    rest: withoutSeams(sequence.rest),
    readFrame: (k: number, out?: Float32Array) => sequence.readFrame(k, out),
  }));
  const files = [
    models.length > 0 && (await writeModelGlb(models, { ...AS_CLAY, influences: INFLUENCES })),
    meshes.length > 0 && (await writeMeshGlb(meshes, AS_CLAY)),
    plain.length > 0 && (await writeSequenceGlb(plain, { ...AS_CLAY, signal: run.signal })),
  ];
  return files.flatMap((file) => (file ? [file.bytes] : []));
}

/** Only what moves, so that normals can be computed for every frame. */
export const withoutSeams = ({ name, positions, triangles, space }: Mesh): Mesh => ({
  name,
  positions,
  triangles,
  space,
});

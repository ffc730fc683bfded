import type { ComponentChildren } from 'preact';
import type { PanelName } from '../../core/view/looks.ts';
import './help.css';

/** What a panel is for, in two sentences; drawn on 96 × 56, `main` in the accent colour. */
const HELP: Record<PanelName, { does: string; how: string; drawing: () => ComponentChildren }> = {
  fit: {
    does: 'Places bones and solves weights, so that a skinned model moves like your animation.',
    how: 'Choose a number of bones, an error or a file size, and press Fit: more bones mean less error and a larger file.',
    drawing: () => (
      <>
        <path d="M6 34c14-26 28-26 42-6s28 20 42-8" />
        <path class="main" d="M6 34 27 15 48 28 69 40 90 20" />
        <path class="dots" d="M6 34h0M27 15h0M48 28h0M69 40h0M90 20h0" />
      </>
    ),
  },
  rig: {
    does: 'Poses the rig and shows how different ways of skinning bend it: click a joint in the view and drag its rings.',
    how: 'Linearize adds blend bones, so that engines with standard skinning show the better bend too.',
    drawing: () => (
      <>
        <path d="M8 18h38q12 0 16 10l8 22M8 38h32q4 0 6 4l4 8" />
        <circle class="main" cx="48" cy="28" r="13" />
        <path class="dots" d="M48 28h0" />
      </>
    ),
  },
  inspect: {
    does: 'Shows where and when a result is off: sort results, compare two of them, plot their errors.',
    how: 'Click a joint in the list to see its weights on the surface.',
    drawing: () => (
      <>
        <path d="M8 6v44h82" />
        <path class="main" d="M10 44c14-2 20-8 28-24s14-10 20 8 18 16 30 12" />
        <path class="dots" d="M44 13h0" />
      </>
    ),
  },
  learn: {
    does: 'Learns from the frames how the surface moves, and picks a few control points.',
    how: 'Drag a point in the view, and the whole surface follows as it did in the animation.',
    drawing: () => (
      <>
        <path d="M6 46c22 0 26-32 44-32s22 32 40 32" />
        <path class="dots" d="M6 46h0M50 14h0M90 46h0" />
        <path class="main" d="M50 9V1m-4 4 4-4 4 4" />
      </>
    ),
  },
  cloth: {
    does: 'Puts a garment on the rig and simulates it live while the clip plays.',
    how: 'Drag the cloth, change wind and stiffness, then save the garment with its motion.',
    drawing: () => (
      <>
        <circle cx="40" cy="9" r="6" />
        <path d="M40 15v22m0 0-8 17m8-17 9 17" />
        <path class="main" d="M36 18c14 0 20 4 26 14s14 10 24 6c-6 10-22 16-34 8S40 32 38 18" />
      </>
    ),
  },
  levels: {
    does: 'Makes lighter versions of the rig, for characters that are far away.',
    how: 'Look at them in any pose and at any distance, then save one file with all of them.',
    drawing: () => (
      <>
        <path d="m18 8 13 6 5 14-6 14-13 5-13-7-3-13 5-13z" />
        <path d="m57 16 11 9-3 14-14 3-7-13z" />
        <path class="main" d="m84 24 7 14H77z" />
      </>
    ),
  },
  light: {
    does: 'Lights the rig from all around, with soft shadows on itself and on the floor.',
    how: 'Bake once and save: in three.js the shadows then follow every pose.',
    drawing: () => (
      <>
        <path class="main" d="M24 8a30 30 0 0 1 48 0M16 18a44 44 0 0 1 0-4M80 14v4M48 0v3" />
        <circle cx="48" cy="28" r="14" />
        <path d="M22 49c6-8 46-8 52 0-8 6-44 6-52 0z" />
      </>
    ),
  },
  export: {
    does: 'Saves models, motions, reports, pictures and films.',
    how: 'Nothing is uploaded: this page writes the files itself.',
    drawing: () => (
      <>
        <path d="M20 34v16h56V34" />
        <path class="main" d="M48 4v32M36 25l12 12 12-12" />
      </>
    ),
  },
  info: {
    does: 'Lists what the file contains, and what looks wrong in it.',
    how: 'If a file does not store its up axis or unit, set them here.',
    drawing: () => (
      <>
        <path d="M26 4h32l12 12v36H26zM58 4v12h12" />
        <path class="main" d="M34 24h26M34 33h28M34 42h18" />
      </>
    ),
  },
};

/** What a panel is for. */
export default function PanelHelp({ panel }: { panel: PanelName }) {
  const { does, how, drawing } = HELP[panel];
  return (
    <div class="panel-help" role="note">
      <svg viewBox="0 0 96 56" aria-hidden="true">
        {drawing()}
      </svg>
      <p>
        {does} {how}
      </p>
    </div>
  );
}

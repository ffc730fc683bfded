/**
 * Colours by how they look: OKLab (Ottosson 2020), where equal steps look equally far apart. Red, green and blue are
 * linear, 0…1, as light adds up; `srgb` encodes them for pictures and pages.
 */
export type Colour = readonly [red: number, green: number, blue: number];

/** Lightness 0…1, chroma 0…0.3 or so, hue in degrees → linear RGB. Chroma that no screen can show is reduced to what it can. */
export function oklch(lightness: number, chroma: number, hue: number): Colour {
  const wanted = fromOklch(lightness, chroma, hue);
  if (isShown(wanted)) return wanted;
  let [low, high] = [0, chroma];
  for (let halving = 0; halving < 20; halving++) {
    const middle = (low + high) / 2;
    if (isShown(fromOklch(lightness, middle, hue))) low = middle;
    else high = middle;
  }
  return fromOklch(lightness, low, hue);
}

const isShown = (colour: Colour): boolean => colour.every((x) => x >= 0 && x <= 1);

function fromOklch(lightness: number, chroma: number, hue: number): Colour {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** Linear light → a byte of sRGB. */
export const srgbByte = (x: number): number =>
  Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));

/** `#rrggbb`. */
export const cssColour = (colour: Colour): string =>
  `#${colour.map((x) => srgbByte(x).toString(16).padStart(2, '0')).join('')}`;

/**
 * The scale of errors, t = 0…1: lightness rises steadily, so that it is perceptually uniform and survives a grey printer,
 * while the hue runs from violet through teal to yellow. Even its darkest end stands out from a dark page.
 */
export function heat(t: number): Colour {
  const x = Math.min(1, Math.max(0, t));
  return oklch(0.4 + 0.51 * x, 0.1 + 0.075 * x ** 3, 300 - 196 * x);
}

/** The same scale in steps, for as many points as a mesh has. */
const STEPS = 256;
const TABLE = Float32Array.from({ length: 3 * STEPS }, (_, c) => heat(Math.floor(c / 3) / (STEPS - 1))[c % 3]);

/** out[o…o+2] = the step of the scale nearest to t. */
export function heatInto(out: Float32Array, o: number, t: number): void {
  const step = 3 * Math.round(Math.min(1, Math.max(0, t)) * (STEPS - 1));
  for (let c = 0; c < 3; c++) out[o + c] = TABLE[step + c];
}

const HUES = 12;
const TONES = [
  [0.72, 0.13],
  [0.56, 0.12],
] as const;
const PALETTE = TONES.flatMap(([lightness, chroma], tone) =>
  Array.from({ length: HUES }, (_, h) => ({ lightness, hue: ((h + tone / 2) * 360) / HUES, chroma })),
);

/** How different two entries of the palette look: their distance in OKLab, lightness counted double. */
function contrast(p: number, q: number): number {
  const [a, b] = [PALETTE[p], PALETTE[q]];
  const angle = ((a.hue - b.hue) * Math.PI) / 180;
  const chroma2 = a.chroma ** 2 + b.chroma ** 2 - 2 * a.chroma * b.chroma * Math.cos(angle);
  return Math.sqrt(chroma2 + 4 * (a.lightness - b.lightness) ** 2);
}

/** How much a difference in looks an unused colour is worth, per use. */
const REUSE = 0.02;

/**
 * A colour for every region, as different as can be from those of the regions beside it (`neighbours`, by region), with
 * a liking for colours that were used less.
 */
export function regionColours(neighbours: readonly Iterable<number>[]): Colour[] {
  const chosen = new Int32Array(neighbours.length).fill(-1);
  const uses = new Int32Array(PALETTE.length);
  for (let region = 0; region < neighbours.length; region++) {
    const around = Array.from(neighbours[region], (other) => chosen[other]).filter((colour) => colour >= 0);
    let best = 0;
    let bestScore = -Infinity;
    for (let p = 0; p < PALETTE.length; p++) {
      const least = Math.min(1, ...around.map((q) => contrast(p, q)));
      const score = least - REUSE * uses[p];
      if (score <= bestScore) continue;
      bestScore = score;
      best = p;
    }
    chosen[region] = best;
    uses[best]++;
  }
  return Array.from(chosen, (p) => oklch(PALETTE[p].lightness, PALETTE[p].chroma, PALETTE[p].hue));
}

/** Quantities as people type them: `0.5%`, `300kB`, `1.5 MiB`. */

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
};

/** `0.5`, `0.5%` or `0.5 %` → 0.5. The text without its sign goes to `parse`, which knows the range. */
export const withoutPercent = (text: string): string => text.trim().replace(/\s*%$/, '');

/** Bytes, NaN where the text is no size; k, M and G count thousands, Ki, Mi and Gi 1024s. */
export function parseBytes(text: string): number {
  const match = /^(\d+\.?\d*|\.\d+)\s*([a-z]*)$/i.exec(text.trim());
  const unit = match && UNITS[match[2].toLowerCase()];
  if (!match || !unit) return Number.NaN;
  const size = Number(match[1]) * unit;
  return size >= 1 || size === 0 ? Math.floor(size) : Number.NaN;
}

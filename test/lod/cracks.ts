/** Directed edges between positions, by their bits, that do not cancel. */
export function unmatchedSides(triangles: Uint32Array, positions: Float32Array): number {
  const bits = new Uint32Array(positions.buffer);
  const ids = new Map<string, number>();
  const idOf = Uint32Array.from({ length: positions.length / 3 }, (_, i) => {
    const key = bits.subarray(3 * i, 3 * i + 3).join();
    if (!ids.has(key)) ids.set(key, ids.size);
    return ids.get(key)!;
  });
  const balance = new Map<number, number>();
  for (let c = 0; c < triangles.length; c++) {
    const a = idOf[triangles[c]];
    const b = idOf[triangles[c % 3 === 2 ? c - 2 : c + 1]];
    if (a === b) continue;
    const key = Math.min(a, b) * ids.size + Math.max(a, b);
    balance.set(key, (balance.get(key) ?? 0) + (a < b ? 1 : -1));
  }
  let open = 0;
  for (const value of balance.values()) open += Math.abs(value);
  return open;
}

/** Every buffer that a value of plain objects and arrays holds, each once; shared ones cross to others as they are. */
export function buffersOf(value: unknown): ArrayBuffer[] {
  const seen = new Set<unknown>();
  const found = new Set<ArrayBuffer>();
  const visit = (each: unknown): void => {
    if (typeof each !== 'object' || each === null || seen.has(each)) return;
    seen.add(each);
    if (ArrayBuffer.isView(each)) visit(each.buffer);
    else if (each instanceof ArrayBuffer) found.add(each);
    else if (each instanceof Map || Array.isArray(each)) for (const inner of each.values()) visit(inner);
    else for (const inner of Object.values(each)) visit(inner);
  };
  visit(value);
  return [...found];
}

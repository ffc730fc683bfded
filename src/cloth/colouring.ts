/**
 * Constraints in an order in which neighbours in the list share no vertex: first all of one colour, then all of the next.
 * Those of a colour may be worked on at once, and in the same order they always give the same result.
 */

/**
 * Colours constraints of `size` vertices each, greedily: constraint → one of as few colours as it finds, then a list per
 * colour, each rising.
 */
export function colourConstraints(vertices: Uint32Array, size: number, vertexCount: number): Uint32Array[] {
  const count = vertices.length / size;
  /** Vertex → colours taken, 32 to a word. */
  let words = 1;
  let taken = new Uint32Array(vertexCount);
  const colours: number[][] = [];
  for (let e = 0; e < count; e++) {
    let colour = 0;
    for (;;) {
      const word = colour >>> 5;
      if (word === words) {
        const wider = new Uint32Array(2 * words * vertexCount);
        for (let i = 0; i < vertexCount; i++) wider.set(taken.subarray(words * i, words * i + words), 2 * words * i);
        taken = wider;
        words *= 2;
      }
      let used = 0;
      for (let c = size * e; c < size * e + size; c++) used |= taken[words * vertices[c] + word];
      const free = ~used & (-1 << (colour & 31));
      if (free !== 0) {
        colour = (word << 5) + 31 - Math.clz32(free & -free);
        break;
      }
      colour = (word + 1) << 5;
    }
    for (let c = size * e; c < size * e + size; c++) taken[words * vertices[c] + (colour >>> 5)] |= 1 << (colour & 31);
    (colours[colour] ??= []).push(e);
  }
  return colours.map((list) => Uint32Array.from(list));
}

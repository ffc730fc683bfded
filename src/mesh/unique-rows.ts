/** Which of `count` rows are alike. */
export interface UniqueRows {
  /** count: row → its class, numbered in the order of first occurrence. */
  classOf: Uint32Array;
  /** One per class: the first row that belongs to it. */
  firstOf: Uint32Array;
}

const bits = new Float32Array(1);
const word = new Uint32Array(bits.buffer);

/** Spreads every bit of `h` over all of it (the finaliser of MurmurHash3, Appleby 2011). */
function mix(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/**
 * Groups rows whose numbers are exactly equal (−0 equals 0), in time linear in the data. Row r of a column of length
 * `count · stride` is its numbers r·stride … (r+1)·stride − 1; rows are alike when they are so in every column.
 */
export function uniqueRows(count: number, columns: readonly ArrayLike<number>[]): UniqueRows {
  const strides = columns.map((column) => (count === 0 ? 0 : column.length / count));

  // (1) A hash per row. Equal numbers have equal hashes; `+ 0` turns −0 into 0.
  const hashes = new Uint32Array(count);
  columns.forEach((column, q) => {
    const stride = strides[q];
    for (let r = 0; r < count; r++) {
      let h = hashes[r];
      for (let c = r * stride; c < (r + 1) * stride; c++) {
        bits[0] = column[c] + 0;
        h = mix((Math.imul(h, 31) + word[0]) | 0);
      }
      hashes[r] = h;
    }
  });

  const alike = (a: number, b: number): boolean => {
    for (let q = 0; q < columns.length; q++) {
      const column = columns[q];
      const stride = strides[q];
      for (let c = 0; c < stride; c++) if (column[a * stride + c] !== column[b * stride + c]) return false;
    }
    return true;
  };

  // (2) An open-addressing table of classes, at most half full; 0 is an empty slot.
  const mask = 2 ** Math.ceil(Math.log2(Math.max(2, 2 * count))) - 1;
  const table = new Uint32Array(mask + 1);
  const classOf = new Uint32Array(count);
  const firstOf = new Uint32Array(count);
  let classes = 0;
  for (let r = 0; r < count; r++) {
    let slot = mix(hashes[r]) & mask;
    while (table[slot] !== 0) {
      const first = firstOf[table[slot] - 1];
      if (hashes[first] === hashes[r] && alike(first, r)) break;
      slot = (slot + 1) & mask;
    }
    if (table[slot] === 0) {
      firstOf[classes] = r;
      table[slot] = ++classes;
    }
    classOf[r] = table[slot] - 1;
  }
  return { classOf, firstOf: firstOf.slice(0, classes) };
}

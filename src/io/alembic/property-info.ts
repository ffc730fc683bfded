/**
 * The 32-bit word that starts a property header:
 *
 *   bits 0–1    0 compound, 1 scalar, 2 array, 3 array that had one element in every sample
 *   bits 2–3    size hint: the numbers that follow have 1, 2 or 4 bytes
 *   bits 4–7    POD type
 *   bit 8       a time sampling index follows (else it is 0)
 *   bit 9       the first and last changed index follow
 *   bit 10      every sample has the same number of elements (not to be relied on: some writers leave it out)
 *   bit 11      every sample is equal
 *   bits 12–19  extent: numbers per element
 *   bits 20–27  index of the meta data; 255 when it follows
 *
 * Behind it, each of the hinted size: number of samples; first and last changed index; time sampling index; length of
 * the name, and the name; length of the meta data, and the meta data. A compound has only its name and meta data.
 *
 * Samples that repeat the first at the beginning or the last at the end are not stored: sample k is stored as number 0
 * before the first change, and as k − first + 1 from there to the last change.
 */
export const INFO = {
  kind: { shift: 0, mask: 0x3 },
  sizeHint: { shift: 2, mask: 0x3 },
  pod: { shift: 4, mask: 0xf },
  extent: { shift: 12, mask: 0xff },
  metaData: { shift: 20, mask: 0xff },
} as const;

export const HAS_SAMPLING = 1 << 8;
export const HAS_CHANGES = 1 << 9;
export const HOMOGENEOUS = 1 << 10;
export const CONSTANT = 1 << 11;

export const infoField = (info: number, { shift, mask }: { shift: number; mask: number }): number =>
  (info >>> shift) & mask;

/** Index of meta data that is not in the archive's list but in the header itself. */
export const OWN_META_DATA = 255;
/** Meta data of up to this many bytes goes into the list, which has up to 254 entries; 0 is no meta data. */
export const LISTED_META_DATA_BYTES = 255;
export const LISTED_META_DATA = 254;

/** Bytes of the key (a hash of the content) that precedes every sample. */
export const KEY_BYTES = 16;
/** Bytes behind the headers of an object's children: hashes of its properties and of its children. */
export const OBJECT_HASH_BYTES = 32;

/** Version of the way in which properties lie in an Ogawa file. */
export const FILE_VERSION = 0;

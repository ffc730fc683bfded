/** What sequences can be written as; `frames` is a folder with one OBJ per frame, `obj` one mesh. */
export const SEQUENCE_FORMATS = ['glb', 'frames', 'abc', 'pc2', 'mdd', 'obj'] as const;
/** A format that sequences can be written as. */
export type SequenceFormat = (typeof SEQUENCE_FORMATS)[number];

/** Formats that hold any number of meshes; the others hold one. */
export const holdsSeveral = (format: SequenceFormat): boolean => format === 'glb' || format === 'abc';

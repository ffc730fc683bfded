import { bytesOf } from '../support.ts';

/** A property: type, name and the values of each row (lists are arrays). */
export interface Column {
  type: string;
  name: string;
  countType?: string;
  rows: (number | number[])[];
}
export type Elements = Record<string, Column[]>;

const SETTERS: Record<string, [number, (view: DataView, value: number, little: boolean) => void]> = {
  char: [1, (view, value) => view.setInt8(0, value)],
  uchar: [1, (view, value) => view.setUint8(0, value)],
  uint8: [1, (view, value) => view.setUint8(0, value)],
  short: [2, (view, value, little) => view.setInt16(0, value, little)],
  ushort: [2, (view, value, little) => view.setUint16(0, value, little)],
  int: [4, (view, value, little) => view.setInt32(0, value, little)],
  int32: [4, (view, value, little) => view.setInt32(0, value, little)],
  uint: [4, (view, value, little) => view.setUint32(0, value, little)],
  float: [4, (view, value, little) => view.setFloat32(0, value, little)],
  float32: [4, (view, value, little) => view.setFloat32(0, value, little)],
  double: [8, (view, value, little) => view.setFloat64(0, value, little)],
};

/** A writer that knows nothing of the reader. */
export function plyFile(format: string, elements: Elements): Uint8Array {
  const header = ['ply', `format ${format} 1.0`, 'comment made by hand'];
  const body: number[] = [];
  for (const [name, columns] of Object.entries(elements)) {
    header.push(`element ${name} ${columns[0].rows.length}`);
    for (const { type, name: property, countType } of columns) {
      header.push(countType ? `property list ${countType} ${type} ${property}` : `property ${type} ${property}`);
    }
    for (let r = 0; r < columns[0].rows.length; r++) {
      const values = columns.flatMap(({ type, countType, rows }): [string, number][] => {
        const row = rows[r];
        return typeof row === 'number'
          ? [[type, row]]
          : [[countType!, row.length], ...row.map((value): [string, number] => [type, value])];
      });
      if (format === 'ascii') {
        body.push(...bytesOf(`${values.map(([, value]) => value).join(' ')}\n`));
      } else {
        for (const [type, value] of values) {
          const [size, set] = SETTERS[type];
          const bytes = new Uint8Array(size);
          set(new DataView(bytes.buffer), value, format === 'binary_little_endian');
          body.push(...bytes);
        }
      }
    }
  }
  return Uint8Array.from([...bytesOf(`${header.join('\n')}\nend_header\n`), ...body]);
}

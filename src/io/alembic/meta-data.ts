/** Meta data of an archive, object or property: "key=value;key=value", keys sorted when Alembic writes them. */
export type MetaData = ReadonlyMap<string, string>;

/** A part without "=" belongs to the value before it: descriptions may hold semicolons. */
export function parseMetaData(text: string): MetaData {
  const found = new Map<string, string>();
  let last: string | undefined;
  for (const part of text.split(';')) {
    const equals = part.indexOf('=');
    if (equals > 0) {
      last = part.slice(0, equals);
      found.set(last, part.slice(equals + 1));
    } else if (last !== undefined) {
      found.set(last, `${found.get(last)};${part}`);
    }
  }
  return found;
}

/** Separators cannot be written inside keys and values: they become blanks. */
export function metaDataText(entries: Readonly<Record<string, string>>): string {
  const plain = (text: string): string => text.replace(/[;=\0]/g, ' ');
  return Object.keys(entries)
    .sort()
    .map((key) => `${plain(key)}=${plain(entries[key])}`)
    .join(';');
}

/** Meta data of a compound that holds a schema: "AbcGeom_PolyMesh_v1", based on the schema of all geometry or not. */
export const schemaMeta = (schema: string, isGeometry: boolean): Record<string, string> =>
  isGeometry ? { schema, schemaBaseType: 'AbcGeom_GeomBase_v1' } : { schema };

/** Meta data of the object around it: in which compound the schema lies. */
export const schemaObjectMeta = (schema: string, compound: string, isGeometry: boolean): Record<string, string> => ({
  ...schemaMeta(schema, isGeometry),
  schemaObjTitle: `${schema}:${compound}`,
});

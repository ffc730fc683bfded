import { type Pod, podBytes } from './pods.ts';

/** Names of the schemas that objects follow, as their meta data has them. */
export const SCHEMAS = {
  xform: 'AbcGeom_Xform_v3',
  polyMesh: 'AbcGeom_PolyMesh_v1',
  subD: 'AbcGeom_SubD_v1',
  faceSet: 'AbcGeom_FaceSet_v1',
} as const;

/** Schema without its version → what people call such an object. */
const KINDS: Readonly<Record<string, string>> = {
  AbcGeom_Xform: 'transform',
  AbcGeom_PolyMesh: 'mesh',
  AbcGeom_SubD: 'subdivision mesh',
  AbcGeom_FaceSet: 'face set',
  AbcGeom_Curve: 'curves',
  AbcGeom_Points: 'points',
  AbcGeom_NuPatch: 'NURBS patch',
  AbcGeom_Camera: 'camera',
  AbcGeom_Light: 'light',
  AbcMaterial_Material: 'material',
  AbcCollection_Collection: 'collection',
};

/** "AbcGeom_PolyMesh_v1" → "mesh". Every version of a schema counts: they differ in details that are not read. */
export function kindOfSchema(schema: string | undefined): string {
  if (!schema) return 'group';
  return KINDS[schema.replace(/_v\d+$/, '')] ?? schema;
}

/** Meta data of a GeomParam: a property that says of what its values are, one per vertex, face, corner or for all. */
export const geomParamMeta = (
  geoScope: string,
  interpretation: string,
  pod: Pod,
  extent: number,
): Record<string, string> => ({
  arrayExtent: '1',
  geoScope,
  interpretation,
  isGeomParam: 'true',
  podExtent: String(extent),
  podName: podBytes(pod) > 1 ? `${pod}_t` : pod,
});

/** The schema that an object follows, or undefined. */
export const schemaOf = (metaData: ReadonlyMap<string, string>): string | undefined =>
  metaData.get('schema') ?? metaData.get('schemaObjTitle')?.split(':')[0];

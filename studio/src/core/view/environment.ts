import type { EnvironmentMap } from '../../../../src/doors/light.ts';
import { memorySource } from '../../../../src/index.ts';

/** Light from all around, from a file. */
export interface NamedEnvironment {
  name: string;
  map: EnvironmentMap;
}

/** Reads an HDR or EXR picture. Throws `PliantError` if it is none. The reader is loaded on first use. */
export async function openEnvironment(file: File): Promise<NamedEnvironment> {
  const { readEnvironment } = await import('../../../../src/io/read-environment.ts');
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { name: file.name, map: await readEnvironment(memorySource(file.name, bytes)) };
}

import { join } from 'node:path';

const EXTENSIONS = '@gltf-transform/extensions';
const USED = { EXTMeshoptCompression: 'ext-meshopt-compression', KHRMeshQuantization: 'khr-mesh-quantization' };

/**
 * The packages that write glTF, without what the studio never calls: all extensions but two, and WebAssembly for
 * browsers without SIMD, which the library's own kernels need too. Bundlers cannot tell that nobody asks for these.
 */
export function leanGltf(packages) {
  const source = join(packages, EXTENSIONS, 'src');
  return {
    name: 'lean-gltf',
    enforce: 'pre',
    resolveId: (id) => (id === EXTENSIONS ? `\0${EXTENSIONS}` : undefined),
    load: (id) =>
      id === `\0${EXTENSIONS}`
        ? Object.entries(USED)
            .map(([name, folder]) => `export { ${name} } from '${source}/${folder}/index.ts';`)
            .join('\n')
        : undefined,
    transform: (code, id) =>
      id.endsWith('meshopt_decoder.mjs') ? code.replace(/(var wasm_base =\s*)'[^']*'/, "$1''") : undefined,
  };
}

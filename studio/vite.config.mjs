import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);

/**
 * The packages that write glTF, without what the studio never calls: all extensions but two, and WebAssembly for
 * browsers without SIMD, which the library's own kernels need too. Bundlers cannot tell that nobody asks for these.
 */
function leanGltf() {
  const EXTENSIONS = '@gltf-transform/extensions';
  const source = join(root, 'node_modules', EXTENSIONS, 'src');
  const USED = { EXTMeshoptCompression: 'ext-meshopt-compression', KHRMeshQuantization: 'khr-mesh-quantization' };
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

/** Workers as entries of the same bundle, so that page and workers share the chunks that both need. */
function sharedWorkers() {
  let count = 0;
  const WORKER = /new URL\('([^']+)', import\.meta\.url\)(?=, \{ type: 'module' \})/g;
  return {
    name: 'shared-workers',
    enforce: 'pre',
    apply: 'build',
    async transform(code, id) {
      if (!code.includes('new Worker(')) return undefined;
      let result = code;
      for (const [text, path] of code.matchAll(WORKER)) {
        const worker = await this.resolve(path, id);
        // Names must differ: they are what the bundler tells emitted files apart by.
        const name = `worker-${++count}`;
        const file = this.emitFile({ type: 'chunk', id: worker.id, name });
        result = result.replace(text, `import.meta.ROLLUP_FILE_URL_${file}`);
      }
      return result;
    },
  };
}

const THREE = join(root, 'node_modules/three/src');
const SHADERS = join(THREE, 'renderers/shaders');
/** The materials that the studio draws with, and what three.js draws shadows with. */
const MATERIALS = ['meshphong', 'meshbasic', 'points', 'shadow', 'depth', 'distance', 'vsm'];

/** What the renderer puts before every shader. */
const ALWAYS = ['colorspace_pars_fragment', 'tonemapping_pars_fragment'];

/** Files of the shaders that these materials include, directly or not. */
function shadersOf(materials) {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, chunk] of readFileSync(file, 'utf8').matchAll(/#include <(\w+)>/g)) {
      visit(join(SHADERS, 'ShaderChunk', `${chunk}.glsl.js`));
    }
  };
  for (const name of materials) visit(join(SHADERS, 'ShaderLib', `${name}.glsl.js`));
  for (const name of ALWAYS) visit(join(SHADERS, 'ShaderChunk', `${name}.glsl.js`));
  return found;
}

/** What the renderer asks for and the studio never uses: glasses, environments, effects, physical materials. */
const UNUSED = {
  'renderers/webxr/WebXRManager.js': `
    import { EventDispatcher } from '../../core/EventDispatcher.js';
    export class WebXRManager extends EventDispatcher {
      enabled = false;
      isPresenting = false;
      setAnimationLoop() {}
      getEnvironmentBlendMode() {}
      dispose() {}
    }`,
  'renderers/webgl/WebGLEnvironments.js': `
    export class WebGLEnvironments {
      get() { return null; }
      dispose() {}
    }`,
  'renderers/webgl/WebGLOutput.js': 'export class WebGLOutput {}',
  'renderers/webgl/WebGLUniformsGroups.js': 'export class WebGLUniformsGroups { dispose() {} }',
  'renderers/shaders/DFGLUTData.js': 'export const getDFGLUT = () => null;',
};

/** three.js from its modules, with the shaders of the materials that are used, and those without comments. */
function leanThree() {
  const used = shadersOf(MATERIALS);
  const shorter = (code) => code.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').replace(/[ \t]*\n\s*/g, '\n');
  const empty = (id) => (id.includes('ShaderLib') ? "export const vertex = '', fragment = '';" : "export default '';");
  return {
    name: 'lean-three',
    enforce: 'pre',
    resolveId: (id) => (id === 'three' ? join(THREE, 'Three.js') : undefined),
    transform: (code, id) => {
      for (const [file, short] of Object.entries(UNUSED)) if (id === join(THREE, file)) return short;
      if (id.endsWith('.glsl.js')) return used.has(id) ? shorter(code) : empty(id);
      return undefined;
    },
  };
}

const plugins = [leanGltf(), sharedWorkers(), leanThree()];

/** The studio as a folder that any static host can serve: relative addresses, nothing inline, no network. */
export default {
  root: here,
  base: './',
  logLevel: 'error',
  plugins,
  build: {
    outDir: join(root, 'dist/studio'),
    emptyOutDir: true,
    target: 'es2022',
    // What it would put around imports asks for a document, which workers have not.
    modulePreload: false,
    // A strict content security policy has no place for pictures or fonts inside style sheets.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
  },
};

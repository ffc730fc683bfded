import { neverIn, replaceRanges, words } from './edit-source.mjs';

/** What never happens in modules of packages, as `neverIn` takes it. */
const NEVER = {
  // Files are read for their accessors only; they are written as GLB, nothing sparse, without cameras, with materials of a
  // colour and a picture of it.
  '@gltf-transform/core/dist/index.js': {
    called: words('concatSparseAccessors readAsJSON binaryToJSON createURI'),
    set: words(`
      context.textures context.materials context.meshes context.cameras context.nodes context.skins context.animations
      context.scenes json.cameras
    `),
    returns: {
      getSparse: 'false',
      getEmissiveTexture: 'null',
      getNormalTexture: 'null',
      getOcclusionTexture: 'null',
      getMetallicRoughnessTexture: 'null',
      getCamera: 'null',
    },
  },
  // Workers decode, without workers of their own, and with SIMD.
  'meshoptimizer/meshopt_decoder.mjs': {
    called: words('useWorkers decodeGltfBufferAsync'),
    returns: { 'WebAssembly.validate': 'true' },
  },
  // Namespaces are names like others.
  'saxes/saxes.js': { called: words('processAttribsNS pushAttribNS nsPairCheck qname resolve') },
  // Charts of curves over numbers: no logarithms, bars, steps, splines, bands, gaps, points, times, legends, joined tables,
  // selecting by dragging; nor what other programs may call.
  'uplot/dist/uPlot.esm.js': {
    called: words(`
      rangeLog rangeAsinh logAxisSplits asinhAxisSplits log10AxisValsFilt log2AxisValsFilt snapLogY snapAsinhY
      clipBandLine findGaps clipGaps points initLegendRow setLegend mouseDown mouseUp
    `),
    set: words(`
      uPlot.assign uPlot.fmtNum uPlot.rangeNum uPlot.rangeLog uPlot.rangeAsinh uPlot.orient uPlot.pxRatio uPlot.join
      uPlot.fmtDate uPlot.tzDate uPlot.sync uPlot.addGap uPlot.clipGaps paths.stepped paths.bars paths.spline
      self.addSeries self.delSeries self.batch self.setSelect self.setSeries self.addBand self.setBand self.delBand
      self.posToIdx self.setLegend
    `),
    returns: {
      genTimeStuffs: '[]',
      timeAxisSplitsMs: 'null',
      timeAxisSplitsS: 'null',
      timeAxisVal: 'null',
      timeAxisVals: 'null',
      timeSeriesVal: 'null',
    },
  },
};

const EXTENSIONS = '@gltf-transform/extensions';
const USED = { EXTMeshoptCompression: 'ext-meshopt-compression', KHRMeshQuantization: 'khr-mesh-quantization' };

/**
 * Packages without what the studio never calls: the above, and all extensions of glTF but two. Bundlers cannot tell that
 * nobody asks for these.
 */
export function leanPackages(packages) {
  const source = `${packages}/${EXTENSIONS}/src`;
  return {
    name: 'lean-packages',
    enforce: 'pre',
    resolveId: (id) => (id === EXTENSIONS ? `\0${EXTENSIONS}` : undefined),
    load: (id) =>
      id === `\0${EXTENSIONS}`
        ? Object.entries(USED)
            .map(([name, folder]) => `export { ${name} } from '${source}/${folder}/index.ts';`)
            .join('\n')
        : undefined,
    transform(code, id) {
      const never = Object.entries(NEVER).find(([file]) => id.endsWith(`/${file}`))?.[1];
      return never && replaceRanges(code, neverIn(this.parse(code), code, id, never));
    },
  };
}

const WORKER = /new URL\('([^']+)', import\.meta\.url\)(?=, \{ type: 'module' \})/g;

/** Workers as entries of the same bundle, so that page and workers share the chunks that both need. */
export function sharedWorkers() {
  let count = 0;
  return {
    name: 'shared-workers',
    enforce: 'pre',
    apply: 'build',
    buildStart: () => {
      count = 0;
    },
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

import { createRequire } from 'node:module';

/** The version of this package. */
export const { version: VERSION } = createRequire(import.meta.url)('pliant/package.json') as { version: string };

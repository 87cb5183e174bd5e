import { readFileSync } from 'node:fs';

/** The version of the product, which is that of this package. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

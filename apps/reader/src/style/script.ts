import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { compiledModule } from '@scriptorium/platform/workers';

/** What pages do with a script; each file stands alone, and the script is all of them in this order. */
const files = ['tree', 'copy', 'place', 'search'] as const;

const whole = files.map((name) => `{\n${sourceOf(name)}\n}\n`).join('');
const version = createHash('sha256').update(whole).digest('hex').slice(0, 12);

/** Where the script of all sites is served, below the address of a site. Another script has another address. */
export const scriptPath = `~reader/script-${version}.js`;

/** The script by the end of its address; `undefined` for one that there is not. */
export function scriptAt(name: string): string | undefined {
  return name === scriptPath ? whole : undefined;
}

/** The statements of a file, without what makes it a module, and without the comments, which nobody reads there. */
function sourceOf(name: string): string {
  const text = readFileSync(compiledModule(`../browser/${name}.js`, import.meta.url), 'utf8');
  return text.replaceAll(/^export \{\};$|^\s*\/\/.*$|^\s*\/\*\*[^]*?\*\/$/gm, '').replaceAll(/\n{2,}/g, '\n');
}

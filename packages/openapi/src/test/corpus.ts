import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const folder = dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'));

/** Specifications that others wrote, of every version, as JSON and YAML. */
export const corpus: [name: string, text: string][] = ['2.0', '3.0', '3.1'].flatMap((version) =>
  readdirSync(join(folder, version), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(json|ya?ml)$/.test(entry.name))
    .map((entry): [string, string] => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
    }),
);

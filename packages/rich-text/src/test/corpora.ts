import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../../../', import.meta.url);
const FOLDERS = ['docs', 'packages/rich-text/corpus', 'apps/content/src/versions/templates'];

/** Every markdown file of this repository's documents, templates and corpus, with its path. */
export function corpora(): Array<{ path: string; text: string }> {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  );
  return found.sort().map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') }));
}

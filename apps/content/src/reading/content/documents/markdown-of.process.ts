import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import { links, type RichDocument } from '@scriptorium/rich-text';
import { createHash } from 'node:crypto';
import { apiBlocksIn, isLong } from '../../analysis/index.js';
import { writeDocument, type linkedPages, type writeText, type Written } from './long-document.task.js';
import { pagesNamed } from '../view/page-links.queries.js';
import { pageIdsIn } from '../view/relative-url.js';
import type { ContentView } from '../view/view.queries.js';

const common = { module: compiledModule('./long-document.task.js', import.meta.url), withinMs: 10_000 };
const linksTask = workerTask<typeof linkedPages>({ ...common, name: 'find_linked_pages', run: 'linkedPages' });
const writeTask = workerTask<typeof writeText>({ ...common, name: 'write_markdown', run: 'writeText' });

/** Operations that are written without a worker: each can take some milliseconds. */
const mostOperations = 5;

/** What one entry of what is derived from content stands for, in characters. */
const charactersOfEntry = 100;

/** The document as markdown. `page`: the one that it is the document of. */
export async function markdownOf(
  { workers }: Pick<Scope, 'workers'>,
  { tree, reader, derived }: Pick<ContentView, 'tree' | 'reader' | 'derived'>,
  document: RichDocument,
  { page, refs }: { page: { id: string; title: string } | undefined; refs: Written['refs'] },
): Promise<string> {
  const title = page?.title;
  const isForVisitor = reader !== undefined;
  if (!isLong(document) && apiBlocksIn(document).length <= mostOperations) {
    const named = await pagesNamed(tree, pageIdsIn(links(document)), page?.id);
    return writeDocument(document, { title, refs, named: { ...named, isForVisitor } });
  }
  const text = JSON.stringify(document);
  const name = hashOf(text);
  const { ids } = await kept(derived, `links of ${name}`, async () => {
    const ids = await workers.run(linksTask, text);
    return { value: { ids }, size: ids.length };
  });
  const named = { ...(await pagesNamed(tree, ids, page?.id)), isForVisitor };
  const as = hashOf(JSON.stringify([title, refs, { ...named, pages: [...named.pages] }]));
  const { markdown } = await kept(derived, `markdown of ${name} as ${as}`, async () => {
    const markdown = await workers.run(writeTask, { text, title, refs, named });
    return { value: { markdown }, size: Math.ceil(markdown.length / charactersOfEntry) };
  });
  return markdown;
}

/** What was made of a text before, or is now. Its name says of what it is made, so it is never stale. */
async function kept<T extends object>(
  derived: ContentView['derived'],
  name: string,
  make: () => Promise<{ value: T; size: number }>,
): Promise<T> {
  const known = derived.get(name) as T | undefined;
  if (known !== undefined) return known;
  const { value, size } = await make();
  derived.set(name, value, { size: 5 + size });
  return value;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

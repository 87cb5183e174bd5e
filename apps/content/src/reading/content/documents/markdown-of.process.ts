import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import { links, type RichDocument } from '@scriptorium/rich-text';
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

/** The document as markdown. `page`: the one that it is the document of. */
export async function markdownOf(
  { workers }: Pick<Scope, 'workers'>,
  { tree, reader }: Pick<ContentView, 'tree' | 'reader'>,
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
  const named = await pagesNamed(tree, await workers.run(linksTask, text), page?.id);
  return workers.run(writeTask, { text, title, refs, named: { ...named, isForVisitor } });
}

import { AppError, type DocumentDifference } from '@scriptorium/contracts';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import { diff } from '@scriptorium/tree';
import {
  contentTree,
  idIn,
  keys,
  type ContentObjects,
  type ContentTree,
  type PageRecord,
  type ReusableContentRecord,
} from '../../../versions/index.js';
import type { differenceOf, Side } from './document-difference.task.js';
import { referenceTo } from './semantic-changes.queries.js';

const task = workerTask<typeof differenceOf>({
  name: 'compare_documents',
  module: compiledModule('./document-difference.task.js', import.meta.url),
  run: 'differenceOf',
  withinMs: 4_000,
  tooCostly: () => new AppError('too_large'),
});

/** Characters of all differences of one answer, and the time in which the last of them begins, ms. */
const [mostCharacters, withinMs] = [2 * 1024 * 1024, 4_000];

type Compared = Pick<DocumentDifference, 'page' | 'reusableContent'> & { file: string };

interface Content {
  title: string;
  document?: string | undefined;
}

/**
 * What changed in the texts of pages and reusable contents from one root to another, of the first `limit` of them. Of
 * what does not fit it says that it changed, and no more.
 */
export async function documentDifferences(
  { workers, now }: Pick<Scope, 'workers' | 'now'>,
  objects: ContentObjects,
  { pool, before, after }: { pool: string; before: string; after: string },
  limit: number,
): Promise<DocumentDifference[]> {
  const [old, present] = [contentTree(objects, pool, before), contentTree(objects, pool, after)];
  const found: DocumentDifference[] = [];
  const until = now() + withinMs;
  let room = mostCharacters;
  for (const prefix of [keys.pages, keys.reusableContents])
    for await (const { key, ...sides } of diff(objects.partsOf(pool), before, after, { prefix })) {
      const [was, is] = [sides.before, sides.after] as [Content | undefined, Content | undefined];
      if (found.length >= limit) return found;
      if (!isOtherText(was, is)) continue;
      const { file, ...of } = await nameOf(key, is === undefined ? old : present, (is ?? was) as Content);
      if (room < 0 || now() > until) {
        found.push({ ...of, truncated: true });
        continue;
      }
      const isPage = prefix === keys.pages;
      const compared = { file, before: await sideOf(old, was, isPage), after: await sideOf(present, is, isPage) };
      const difference = await workers.run(task, compared).catch(ifTooCostly);
      room -= JSON.stringify(difference).length;
      found.push({ ...of, ...difference });
    }
  return found;
}

/** One page that takes too long takes nothing from the others. */
function ifTooCostly(error: unknown): Pick<DocumentDifference, 'truncated'> {
  if (error instanceof AppError && error.reason === 'too_large') return { truncated: true };
  throw error;
}

/** Whether a text changed: the title of a page is its first line. */
function isOtherText(was: Content | undefined, is: Content | undefined): boolean {
  if (was?.document === undefined && is?.document === undefined) return false;
  return was?.document !== is?.document || was?.title !== is?.title;
}

async function nameOf(key: string, tree: ContentTree, content: Content): Promise<Compared> {
  const id = idIn(key);
  if (!key.startsWith(keys.pages))
    return {
      reusableContent: { id, title: (content as ReusableContentRecord).title },
      file: `reusable-contents/${id}.md`,
    };
  const page = await referenceTo(tree, { ...(content as PageRecord), id });
  return { page, file: `${page.path ?? id}.md` };
}

async function sideOf(tree: ContentTree, content: Content | undefined, isPage: boolean): Promise<Side | undefined> {
  if (content?.document === undefined) return undefined;
  const text = JSON.stringify(await tree.object(content.document));
  return { text, ...(isPage ? { title: content.title } : {}) };
}

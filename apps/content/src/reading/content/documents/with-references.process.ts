import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import type { Resolved, RichDocument } from '@scriptorium/rich-text';
import { isLong } from '../../analysis/index.js';
import { idIn, keys, type FileRecord, type ReusableContentRecord } from '../../../versions/index.js';
import { anchorOf, type ContentRef, type Targets } from '../view/content-targets.js';
import { refsIn, withTargets, type refsInTexts, type withTargetsInText } from './dereference.task.js';
import { shownFile } from '../files.queries.js';
import { pagesNamed } from '../view/page-links.queries.js';
import { pageUrl } from '../view/pages.render.js';
import { pageIdsIn } from '../view/relative-url.js';
import type { ContentView } from '../view/view.queries.js';

const common = { module: compiledModule('./dereference.task.js', import.meta.url), withinMs: 10_000 };
const refsTask = workerTask<typeof refsInTexts>({ ...common, name: 'find_references', run: 'refsInTexts' });
const replaceTask = workerTask<typeof withTargetsInText>({
  ...common,
  name: 'dereference_document',
  run: 'withTargetsInText',
});

type Workers = Pick<Scope, 'workers'>;

/** The document with its reusable contents and, with `areTargetsShown`, with what its other references lead to. */
export async function withReferences(
  scope: Workers & Pick<Scope, 'urls'>,
  view: ContentView,
  document: RichDocument,
  areTargetsShown: boolean,
): Promise<RichDocument> {
  const { contents, refs, isNested } = await reusableContents(scope, view, document);
  const targets = areTargetsShown ? await targetsOf(scope, view, refs) : undefined;
  // Contents that include each other can become much longer than they are.
  if (!isNested && !areLong([document, ...contents.values()])) return withTargets(document, { contents, targets });
  const text = await scope.workers.run(replaceTask, {
    text: JSON.stringify(document),
    contents: [...contents].map(([id, content]) => [id, JSON.stringify(content)] as const),
    targets,
  });
  return JSON.parse(text) as RichDocument;
}

function areLong(documents: readonly RichDocument[]): boolean {
  return documents.some(isLong) || isLong({ nodes: documents.flatMap(({ nodes }) => nodes) } as RichDocument);
}

function findRefs({ workers }: Workers, documents: readonly RichDocument[]): Promise<ContentRef[]> | ContentRef[] {
  if (!areLong(documents)) return refsIn(documents);
  return workers.run(
    refsTask,
    documents.map((one) => JSON.stringify(one)),
  );
}

/** What references lead to, as whoever reads the content sees it. */
async function targetsOf(
  { urls }: Pick<Scope, 'urls'>,
  view: ContentView,
  refs: readonly ContentRef[],
): Promise<Targets> {
  const own = refs.filter(({ space }) => space === undefined || space === view.space);
  const files = await filesNamed(view, own);
  const { pages } = await pagesNamed(view.tree, pageIdsIn(own.map((ref) => ({ ref: withoutSpace(ref) }))), undefined);
  const targets = new Map<string, Resolved>(await view.elsewhere?.(refs));
  const add = (ref: ContentRef, found: Resolved | undefined): void => {
    if (found !== undefined) targets.set(JSON.stringify(ref), found);
  };
  for (const ref of own) {
    const { kind, url, page: id, file } = ref;
    const page = typeof id === 'string' ? pages.get(id) : undefined;
    if (kind === 'url' && typeof url === 'string') add(ref, { title: url, href: url });
    else if (kind === 'file' && typeof file === 'string') add(ref, files.get(file));
    else if (page !== undefined)
      add(ref, { title: page.title, path: page.path, href: `${pageUrl(urls, view, page.id)}${anchorOf(ref)}` });
  }
  return targets;
}

function withoutSpace({ space: _, ...ref }: ContentRef): ContentRef {
  return ref;
}

/** The files of the same space that references lead to: their names, and addresses that end. */
async function filesNamed(view: ContentView, refs: readonly ContentRef[]): Promise<Map<string, Resolved>> {
  const ids = refs.flatMap(({ kind, file }) => (kind === 'file' && typeof file === 'string' ? [file] : []));
  const records = await view.tree.getMany([...new Set(ids)].map(keys.file));
  const files = [...records].map(([key, record]) => shownFile(view, idIn(key), record as FileRecord));
  return new Map(files.map(({ id, name, downloadURL }) => [id, { title: name, href: downloadURL }]));
}

/** Reusable contents contain each other up to this depth. */
const deepest = 5;

/** The reusable contents that a document shows, and those that these show, with the references of all of them. */
async function reusableContents(
  scope: Workers,
  view: ContentView,
  document: RichDocument,
): Promise<{ contents: Map<string, RichDocument>; refs: ContentRef[]; isNested: boolean }> {
  const contents = new Map<string, RichDocument>();
  const refs: ContentRef[] = [];
  let level = [document];
  let depth = 0;
  for (; depth <= deepest && level.length > 0; depth += 1) {
    const own = await findRefs(scope, level);
    for (const ref of own) refs.push(ref);
    level = depth === deepest ? [] : await contentsNamed(view, own, contents);
  }
  return { contents, refs, isNested: depth > 2 };
}

/**
 * The reusable contents of the same space that references name, as far as they are not among `known`, to which they are
 * added.
 */
async function contentsNamed(
  view: ContentView,
  refs: readonly ContentRef[],
  known: Map<string, RichDocument>,
): Promise<RichDocument[]> {
  const ids = refs.flatMap(({ kind, space, reusableContent: id }) =>
    kind === 'reusable-content' && space === undefined && typeof id === 'string' && !known.has(id) ? [id] : [],
  );
  const records = [...(await view.tree.getMany([...new Set(ids)].map(keys.reusableContent)))];
  const nameOf = (record: unknown): string => (record as ReusableContentRecord).document;
  const documents = await view.tree.objects(records.map(([, record]) => nameOf(record)));
  const found: RichDocument[] = [];
  for (const [key, record] of records) {
    const one = documents.get(nameOf(record)) as RichDocument | undefined;
    if (one === undefined) continue;
    known.set(idIn(key), one);
    found.push(one);
  }
  return found;
}

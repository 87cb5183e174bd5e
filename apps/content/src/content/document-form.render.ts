import { setImmediate } from 'node:timers/promises';
import { dereference, links, RichTextError, type Resolved, type RichDocument } from '@scriptorium/rich-text';
import type { Scope } from '@scriptorium/platform';
import { seenDocument } from '../facts/index.js';
import { idIn, keys, variablesOf, type ReusableContentRecord } from '../pages/index.js';
import { seenBy } from '../visitors/index.js';
import { shownFile } from './files.queries.js';
import { markdownOf } from './markdown-of.process.js';
import { pagesNamed } from './page-links.queries.js';
import { pageUrl } from './pages.render.js';
import { pageIdsIn, type NamedPage } from './relative-url.js';
import type { ContentView } from './view.queries.js';

/** A link in a document. */
type Found = ReturnType<typeof links>[number];
type ContentRef = Parameters<Parameters<typeof dereference>[1]['reusableContent']>[0];

/** What answers with documents are made with. */
export type FormScope = Pick<Scope, 'urls' | 'workers'>;

/** How a document is answered. */
export interface DocumentForm {
  format?: 'document' | 'markdown' | undefined;
  'format.markdown.refs'?: 'relative' | 'stable' | undefined;
  evaluated: boolean | 'deterministic-only';
  dereferenced: boolean | 'reusable-contents';
}

/** A document, and what it is seen with. */
export interface SeenDocument {
  document: RichDocument;
  /** The page that it is the document of; absent for reusable contents. */
  page?: { id: string; title: string; variables: Readonly<Record<string, string>> };
}

/** A document in the form that was asked for; in both forms unless one was. */
export async function inForm(
  scope: FormScope,
  view: ContentView,
  seen: SeenDocument,
  form: DocumentForm,
): Promise<{ markdown?: string; document?: RichDocument }> {
  const document = await prepared(scope, view, seen, form);
  if (form.format === 'document') return { document };
  const refs = form['format.markdown.refs'] ?? 'relative';
  const markdown = await markdownOf(scope, view.tree, document, { page: seen.page, refs });
  return form.format === 'markdown' ? { markdown } : { markdown, document };
}

/** The document with references and expressions resolved, as far as that was asked for. */
export async function prepared(
  scope: FormScope,
  view: ContentView,
  { document, page }: SeenDocument,
  { evaluated, dereferenced }: Pick<DocumentForm, 'evaluated' | 'dereferenced'>,
): Promise<RichDocument> {
  const resolved =
    dereferenced === false ? document : await withReferences(view, scope.urls, document, dereferenced === true);
  const variables = { space: await variablesOf(view.tree), page: { ...page?.variables } };
  // Whatever was asked for: a visitor gets what conditions show, and nothing of the conditions.
  if (view.reader !== undefined) {
    const seen = seenBy(view.reader, variables.space, variables.page);
    return seenDocument(scope, resolved, { seen, mode: 'all' });
  }
  if (evaluated === false) return resolved;
  const seen = { type: 'human', claims: {}, variables } as const;
  return seenDocument(scope, resolved, { seen, mode: evaluated === true ? 'all' : evaluated });
}

/** Reusable contents contain each other up to this depth. */
const deepest = 5;

async function withReferences(
  view: ContentView,
  urls: { app: string },
  document: RichDocument,
  withTargets: boolean,
): Promise<RichDocument> {
  const { contents, found } = await reusableContents(view, document);
  const named = withTargets ? await pagesNamed(view.tree, pageIdsIn(found), undefined) : undefined;
  const files = withTargets ? await filesNamed(view, found) : new Map<string, Resolved>();
  // Links of a long document have just been looked for, which takes as long as what comes now.
  await setImmediate();
  return expanded(document, {
    reusableContent: (ref) => contents.get(textIn(ref, 'reusableContent')) ?? null,
    ...(named === undefined
      ? {}
      : { target: (ref) => files.get(fileOf(ref)) ?? targetOf(view, urls, named.pages, ref) }),
  });
}

/** The files of the same space that links lead to: their names, and addresses that end. */
async function filesNamed(view: ContentView, found: readonly { ref: ContentRef }[]): Promise<Map<string, Resolved>> {
  const ids = [...new Set(found.map(({ ref }) => fileOf(ref)).filter((id) => id !== ''))];
  const records = await view.tree.getMany(ids.map(keys.file));
  const files = [...records].map(([key, record]) => shownFile(view, idIn(key), record as never));
  return new Map(files.map(({ id, name, downloadURL }) => [id, { title: name, href: downloadURL }]));
}

/** The file of the same space that a reference names; empty when it names none. */
function fileOf(ref: ContentRef): string {
  return ref.kind === 'file' && ref['space'] === undefined ? textIn(ref, 'file') : '';
}

/** A document that would become too large with all that it includes keeps its references: it has to stay readable. */
function expanded(document: RichDocument, options: Parameters<typeof dereference>[1]): RichDocument {
  try {
    return dereference(document, options);
  } catch (error) {
    if (error instanceof RichTextError) return document;
    throw error;
  }
}

function targetOf(
  view: ContentView,
  urls: { app: string },
  pages: ReadonlyMap<string, NamedPage>,
  ref: ContentRef,
): Resolved | null {
  if (ref.kind === 'url' && typeof ref['url'] === 'string') return { title: ref['url'], href: ref['url'] };
  const page = ref['space'] === undefined ? pages.get(textIn(ref, 'page')) : undefined;
  if (page === undefined) return null;
  const anchor = typeof ref['anchor'] === 'string' ? `#${ref['anchor']}` : '';
  return { title: page.title, path: page.path, href: `${pageUrl(urls, view, page.id)}${anchor}` };
}

/** The reusable contents that a document shows, and those that these show, with the links of all of them. */
async function reusableContents(
  view: ContentView,
  document: RichDocument,
): Promise<{ contents: Map<string, RichDocument>; found: Found[] }> {
  const contents = new Map<string, RichDocument>();
  const found: Found[] = [];
  let level = [document];
  for (let depth = 0; depth <= deepest && level.length > 0; depth += 1) {
    const own = level.flatMap((one) => links(one));
    for (const link of own) found.push(link);
    if (depth === deepest) break;
    const wanted = new Set(
      own
        .filter(({ ref }) => ref.kind === 'reusable-content' && ref['space'] === undefined)
        .map(({ ref }) => textIn(ref, 'reusableContent'))
        .filter((id) => !contents.has(id)),
    );
    const records = [...(await view.tree.getMany([...wanted].map(keys.reusableContent)))];
    const documents = await view.tree.objects(
      records.map(([, record]) => (record as never as ReusableContentRecord).document),
    );
    level = [];
    for (const [key, record] of records) {
      const one = documents.get((record as never as ReusableContentRecord).document) as RichDocument | undefined;
      if (one === undefined) continue;
      contents.set(idIn(key), one);
      level.push(one);
    }
  }
  return { contents, found };
}

function textIn(ref: ContentRef, field: string): string {
  const value = ref[field];
  return typeof value === 'string' ? value : '';
}

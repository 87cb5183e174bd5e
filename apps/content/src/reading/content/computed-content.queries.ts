import {
  AppError,
  blaming,
  type getComputedRevision,
  type ResultOf,
  type RichDocument as ShownDocument,
} from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { forClients, type RichDocument } from '@scriptorium/rich-text';
import { EMPTY_ROOT } from '@scriptorium/tree';
import { computedIn, computePages, type AskedSource, type ComputedPages } from '../computed-pages/index.js';
import { createDraft, type ContentObjects, putPages } from '../../versions/index.js';
import type { SeenContent } from '../page-visibility/index.js';
import { prepared } from './documents/document-form.render.js';
import { requireFile } from './files.queries.js';
import { renderTree } from './view/pages.render.js';
import { requireRevision, type ContentView } from './view/view.queries.js';

/** What computed content is read from. */
interface ComputedSources {
  objects: ContentObjects;
  seen: SeenContent;
}

/** The document of a page that a source stands for. @throws AppError that names a part of `body.source` */
export async function computedDocument(
  scope: Scope,
  sources: ComputedSources,
  view: ContentView,
  asked: AskedSource,
): Promise<ShownDocument> {
  const computed = await computedFor(scope, sources, view, asked);
  const name = computed.documentOf(asked.source.props);
  if (name === undefined) throw blaming('not_found', 'body.source.props', 'The source has no such part');
  const document = (await view.tree.object(name)) as RichDocument;
  return forClients(await prepared(scope, view, { document }, { evaluated: false, dereferenced: false }));
}

/** The pages that a source stands for. @throws AppError that names a part of `body.source` */
export async function computedRevision(
  scope: Scope,
  sources: ComputedSources,
  view: ContentView,
  asked: AskedSource,
): Promise<ResultOf<typeof getComputedRevision>> {
  const { pages } = await computedFor(scope, sources, view, asked);
  const draft = createDraft(sources.objects, view.tree.pool, EMPTY_ROOT);
  await putPages(draft, pages);
  return { pages: await renderTree({ ...view, tree: draft }, scope.urls), files: [], reusableContents: [] };
}

async function computedFor(
  scope: Scope,
  { objects, seen }: ComputedSources,
  view: ContentView,
  asked: AskedSource,
): Promise<ComputedPages> {
  await requireSeen(scope, seen, view, asked);
  const { organization, space, branch, stored, tree } = view;
  const [computed, { createdAt }] = await Promise.all([
    computedIn(objects, { space, pool: tree.pool, root: stored }),
    requireRevision(scope, space, view.revision),
  ]);
  return computePages(scope, objects, { organization, space, branch, tree, computed, createdAt }, asked);
}

/**
 * A visitor gets nothing of files and specifications that they are not shown. @throws AppError `not_found` that names
 * the dependency
 */
async function requireSeen(
  scope: Scope,
  seen: SeenContent,
  view: ContentView,
  { source: { dependencies = {} } }: AskedSource,
): Promise<void> {
  for (const [name, { ref }] of Object.entries(dependencies)) {
    const { file, spec } = ref as { file?: string; spec?: string };
    const field = `body.source.dependencies.${name}.ref`;
    if (spec !== undefined && !(await isSpecSeen(scope, seen, view, spec)))
      throw blaming('not_found', field, 'There is no such specification');
    if (file === undefined) continue;
    try {
      await requireFile(scope, seen, view, file);
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'not_found') throw error;
      throw blaming('not_found', field, 'There is no such file');
    }
  }
}

async function isSpecSeen(
  scope: Scope,
  seen: SeenContent,
  { tree, root, reader }: ContentView,
  spec: string,
): Promise<boolean> {
  if (reader === undefined) return true;
  return (await seen.reached(scope, { tree, root, reader })).specs.has(spec.toLowerCase());
}

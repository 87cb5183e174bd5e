import type { RevisionSummary, SemanticChanges } from '@scriptorium/contracts';
import { referTo } from '@scriptorium/contracts';
import { pageBy, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { EMPTY_ROOT } from '@scriptorium/tree';
import { branches, revisions, type RevisionDocument, type ContentObjects } from '../../../versions/index.js';
import { compareWith, type AskedChanges } from './compare-with.queries.js';
import { requireRevision, type ContentView } from '../view/view.queries.js';

/**
 * The revisions of a branch, the newest first. They are numbered without gaps, so that no page has to count. `opened`:
 * the one that a visitor may know of; `null` for none.
 */
export async function listRevisions(
  { store, cursors, urls }: Scope,
  {
    organization,
    space,
    branch,
    opened,
  }: { organization: string; space: string; branch: string; opened?: string | null | undefined },
  filter: PageRequest & { operation: string },
): Promise<Page<RevisionSummary>> {
  const model = store.read(revisions);
  const found = await store.read(branches).byId(branch);
  const newest = found?.head?.number ?? 0;
  const page = await pageBy<RevisionDocument & { _id: string }>(cursors, {
    binding: { operation: filter.operation, scope: { branch }, sort: 'number', order: 'desc' },
    request: filter,
    isCounted: true,
    count: () => (opened === undefined ? newest : Number(opened !== null)),
    fetch: (limit, after) => {
      const below = after === undefined ? newest + 1 : Number(after[0]);
      return model
        .find({ branch, number: { $lt: below }, ...(opened === undefined ? {} : { _id: opened ?? '' }) })
        .sort({ number: -1 })
        .limit(limit)
        .toArray();
    },
    keysOf: ({ _id, number }) => [number, _id],
  });
  const base = { api: `${urls.api}/spaces/${space}/revisions`, app: `${urls.app}/o/${organization}/s/${space}` };
  return { ...page, items: page.items.map((revision) => summaryOf(revision, base)) };
}

function summaryOf(revision: RevisionDocument & { _id: string }, base: { api: string; app: string }): RevisionSummary {
  const { _id: id, parents, type, mergedFrom, createdAt, createdBy } = revision;
  return {
    object: 'revision',
    id,
    parents,
    type,
    ...(mergedFrom === null ? {} : { mergedFrom: { object: 'change-request', id: mergedFrom } }),
    createdAt,
    createdBy:
      createdBy.kind === 'user'
        ? referTo('user', createdBy.id)
        : { object: createdBy.kind === 'integration' ? 'integration' : 'system', id: createdBy.id },
    urls: { location: `${base.api}/${id}`, app: `${base.app}/~/revisions/${id}` },
  };
}

/** What changed in a revision, compared with its first parent or with `from`. @throws AppError `not_found` */
export async function changesOfRevision(
  scope: Scope,
  objects: ContentObjects,
  view: ContentView,
  query: AskedChanges & { from?: string | undefined },
): Promise<SemanticChanges> {
  const { parents, mergedFrom } = await requireRevision(scope, view.space, view.revision);
  const from = query.from ?? parents[0];
  const before = from === undefined ? undefined : await requireRevision(scope, view.space, from);
  const merged = mergedFrom === null ? {} : { mergedFrom: { object: 'change-request' as const, id: mergedFrom } };
  return { ...merged, ...(await compareWith(scope, objects, before?.tree ?? EMPTY_ROOT, { view, query })) };
}

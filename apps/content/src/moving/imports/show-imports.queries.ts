import { AppError, referTo, type ImportRun, type ImportRuns } from '@scriptorium/contracts';
import type { RunView } from '@scriptorium/event-sourcing';
import { pageBy, type Call, type PageRequest, type Scope } from '@scriptorium/platform';
import { itemsFrom } from './import-items.operational.js';
import {
  countImports,
  findImport,
  listImports as importsOf,
  type ImportDocument,
  type ImportFilter,
} from './imports.operational.js';
import { isDropped, leftOut, type PageItem } from './item.js';

type Viewer = Pick<ImportFilter, 'organization' | 'createdBy'>;

/** One page of the imports of somebody, the newest first. */
export async function listImports(
  call: Call,
  viewer: Viewer,
  { space, changeRequest, status, ...request }: Omit<ImportFilter, keyof Viewer> & PageRequest,
): Promise<ImportRuns> {
  const filter: ImportFilter = { ...viewer, space, changeRequest, status };
  const scope = { ...filter };
  const page = await pageBy<ImportDocument>(call.cursors, {
    binding: { operation: call.operation, scope, sort: 'requestedAt', order: 'desc' },
    request,
    count: () => countImports(call, filter),
    fetch: (limit, after) =>
      importsOf(call, filter, { limit, after: after === undefined ? undefined : [String(after[0]), after[1]] }),
    keysOf: ({ requestedAt, _id }) => [requestedAt, _id],
  });
  const items = await Promise.all(
    page.items.map(async (about) => summaryOf(about, await call.store.findRun(about._id))),
  );
  return { ...page, items };
}

/** An import with its pages. @throws AppError `not_found` for that of somebody else */
export async function getImport(call: Scope, viewer: Viewer, id: string): Promise<ImportRun> {
  const about = await requireImport(call, viewer, id);
  const pages = await itemsFrom(call, id, 'page');
  return { ...summaryOf(about, await call.store.findRun(id)), ...detailsOf(about, pages) };
}

export async function requireImport(
  call: Pick<Scope, 'database'>,
  viewer: Viewer,
  id: string,
): Promise<ImportDocument> {
  const about = await findImport(call, id);
  const isTheirs = viewer.createdBy === undefined || about?.createdBy === viewer.createdBy;
  if (about?.organization !== viewer.organization || !isTheirs) throw new AppError('not_found');
  return about;
}

/** An import without its pages. `run`: as far as it is known. */
export function summaryOf(about: ImportDocument, run: RunView | null): ImportRun {
  const { _id: id, status, source, target, mode, createdBy, requestedAt, startedAt, completedAt, revision } = about;
  const failure = status === 'failed' ? (about.failure ?? run?.failure ?? unknown) : undefined;
  return {
    object: 'import',
    id,
    status,
    ...(failure === undefined ? {} : { reason: failure.reason, failure }),
    source,
    target,
    mode,
    ...(run?.progress === undefined ? {} : { progress: run.progress }),
    ...(revision === undefined ? {} : { revision }),
    createdBy: referTo('user', createdBy),
    requestedAt,
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(completedAt === undefined ? {} : { completedAt }),
  };
}

const unknown = { reason: 'unexpected', message: 'Unexpected error' };

function detailsOf(about: ImportDocument, all: readonly PageItem[]): Pick<ImportRun, 'pages' | 'report'> {
  const { counts, warnings, furtherWarnings = {}, status } = about;
  const moreWarnings = Object.values(furtherWarnings).reduce((sum, count) => sum + count, about.moreWarnings);
  const none = { pages: 0, files: 0, reusableContents: 0, variables: 0 };
  const pages = all.filter((page) => !isDropped(page));
  const out = leftOut(pages);
  return {
    pages: pages.map((page) =>
      out.has(page.n) ? { ...pageOf(page, status), status: 'failed' as const } : pageOf(page, status),
    ),
    report: { ...(counts ?? none), warnings, moreWarnings },
  };
}

function pageOf({ id, title, path, type, entry, read }: PageItem, importStatus: ImportDocument['status']) {
  const isNothingRead = importStatus === 'completed' || (entry === undefined && type !== 'document');
  const isRead = read === undefined ? isNothingRead : read.isUnread !== true;
  const isOver = importStatus === 'failed' || importStatus === 'cancelled' || read !== undefined;
  const status = isRead ? ('completed' as const) : isOver ? ('failed' as const) : ('pending' as const);
  const shownType = type === 'link' ? ('link' as const) : path === undefined ? ('folder' as const) : ('page' as const);
  return { id, title: read?.title ?? title, ...(path === undefined ? {} : { path }), type: shownType, status };
}

import type { ImportSource, ImportTarget, ImportWarning } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { Collection, Filter } from 'mongodb';
import type * as z from 'zod';
import { dropItems } from './import-items.operational.js';
import type { Item } from './item.js';

type Within = Pick<Scope, 'database'>;

export type ImportStatus = 'pending' | 'in-progress' | 'completed' | 'failed' | 'cancelled';

/** The bytes that an import is made of. */
export interface SourceFile {
  /** The upload that has them. */
  upload: string;
  hash: string;
  size: number;
  name: string;
  isArchive: boolean;
}

/**
 * What is to be imported, and what has come of it. It has addresses and names of files, so it stands where it can be
 * removed.
 */
export interface ImportDocument {
  _id: string;
  organization: string;
  space: string;
  /** The branch that gets the revision. */
  branch: string;
  source: z.output<typeof ImportSource>;
  target: z.output<typeof ImportTarget>;
  mode: 'add' | 'replace';
  /** What has no pages may replace the content. */
  allowEmpty?: boolean;
  createdBy: string;
  requestedAt: string;
  status: ImportStatus;
  startedAt?: string;
  completedAt?: string;
  failure?: { reason: string; message: string; path?: string };
  sources?: SourceFile[];
  variables?: Record<string, string>;
  warnings: ImportWarning[];
  /** Further ones, of the plan. */
  moreWarnings: number;
  /** Further ones, by the first of the items that they are about. */
  furtherWarnings?: Record<string, number>;
  counts?: { pages: number; files: number; reusableContents: number; variables: number };
  revision?: string;
}

export const importIndexes = {
  op_imports: [
    { key: { organization: 1, requestedAt: -1, _id: -1 }, name: 'organization_requestedAt' },
    { key: { space: 1 }, name: 'space' },
  ],
  op_import_items: [{ key: { import: 1, kind: 1, n: 1 }, name: 'import_kind_n' }],
} as const;

function imports({ database }: Within): Collection<ImportDocument> {
  return database.collection<ImportDocument>('op_imports');
}

/** Adds an import; one that is there already stays. */
export async function addImport(scope: Within, { _id, ...fields }: ImportDocument): Promise<void> {
  await imports(scope).updateOne({ _id }, { $setOnInsert: fields }, { upsert: true });
}

export function findImport(scope: Within, id: string): Promise<ImportDocument | null> {
  return imports(scope).findOne({ _id: id });
}

export async function changeImport(scope: Within, id: string, fields: Partial<ImportDocument>): Promise<void> {
  await imports(scope).updateOne({ _id: id }, { $set: fields });
}

/** Ends an import, unless it has ended. */
export async function endImport(
  scope: Within,
  id: string,
  fields: Pick<ImportDocument, 'status' | 'completedAt'> & Partial<ImportDocument>,
): Promise<void> {
  await imports(scope).updateOne({ _id: id, status: { $in: ['pending', 'in-progress'] } }, { $set: fields });
}

/** Imports of an organization. */
export interface ImportFilter {
  organization: string;
  createdBy?: string | undefined;
  space?: string | undefined;
  changeRequest?: string | undefined;
  status?: ImportStatus | 'active' | undefined;
}

function filterOf({ organization, createdBy, space, changeRequest, status }: ImportFilter): Filter<ImportDocument> {
  return {
    organization,
    ...(createdBy === undefined ? {} : { createdBy }),
    ...(space === undefined ? {} : { space }),
    ...(changeRequest === undefined ? {} : { 'target.changeRequest': changeRequest }),
    ...(status === undefined ? {} : { status: status === 'active' ? { $in: ['pending', 'in-progress'] } : status }),
  };
}

/** The newest first. `after`: the last one of the page before. */
export function listImports(
  scope: Within,
  filter: ImportFilter,
  { limit, after }: { limit: number; after: readonly [requestedAt: string, id: string] | undefined },
): Promise<ImportDocument[]> {
  const behind =
    after === undefined
      ? {}
      : { $or: [{ requestedAt: { $lt: after[0] } }, { requestedAt: after[0], _id: { $lt: after[1] } }] };
  return imports(scope)
    .find({ $and: [filterOf(filter), behind] })
    .sort({ requestedAt: -1, _id: -1 })
    .limit(limit)
    .toArray();
}

export function countImports(scope: Within, filter: ImportFilter): Promise<number> {
  return imports(scope).countDocuments(filterOf(filter));
}

/**
 * Adds warnings, up to a number; the others are counted. `from`: what they are about, so that a repetition counts
 * nothing twice.
 */
export async function addWarnings(
  scope: Within,
  id: string,
  { warnings, most, from }: { warnings: readonly ImportWarning[]; most: number; from: Pick<Item, 'kind' | 'n'> },
): Promise<void> {
  if (warnings.length === 0) return;
  const found = await findImport(scope, id);
  if (found === null) return;
  const key = (warning: ImportWarning): string =>
    JSON.stringify([warning.kind, warning.path, warning.target, warning.message]);
  const known = new Set(found.warnings.map(key));
  const all = [...found.warnings, ...warnings.filter((warning) => !known.has(key(warning)))];
  const further = { [`furtherWarnings.${from.kind}-${from.n}`]: Math.max(0, all.length - most) };
  await imports(scope).updateOne({ _id: id }, { $set: { warnings: all.slice(0, most), ...further } });
}

/** Takes back that files which are not there at all stand behind the pages that the navigation lists. */
export async function dropUnlisted(scope: Within, id: string, gone: ReadonlySet<string>): Promise<void> {
  const { warnings = [] } = (await findImport(scope, id)) ?? {};
  const others = warnings.filter(({ kind, path }) => kind !== 'unlisted_page' || !gone.has(path));
  if (others.length < warnings.length) await changeImport(scope, id, { warnings: others });
}

/** Removes imports with everything that is kept of them. */
export async function dropImports(scope: Within, which: { _id: string } | { space: string }): Promise<void> {
  const found = await imports(scope)
    .find(which, { projection: { _id: 1 } })
    .toArray();
  // Items may be there when the import is not any more.
  const ids = new Set([...found.map(({ _id }) => _id), ...('_id' in which ? [which._id] : [])]);
  for (const _id of ids) {
    await dropItems(scope, _id);
    await imports(scope).deleteOne({ _id });
  }
}

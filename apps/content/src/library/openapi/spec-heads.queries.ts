import type { Scope } from '@scriptorium/platform';
import type { Stored } from '@scriptorium/event-sourcing';
import { specDocuments, type SpecDocument } from './spec.projection.js';
import { specVersions, type SpecVersionDocument } from './spec-version.projection.js';

/** A specification of an organization as content uses it: its newest version. */
export interface SpecHead {
  /** Id of the specification. */
  spec: string;
  slug: string;
  isPublic: boolean;
  /** Id of the version. */
  version: string;
  /** SHA-256 of its forms. */
  document: string;
  outline: string;
  pack: string;
}

/**
 * The specification that content names, by its slug in any case or by its id. `undefined` when the organization has no
 * such specification, or it has no version yet.
 */
export async function findSpecHead(
  scope: Pick<Scope, 'store'>,
  organization: string,
  named: string,
): Promise<SpecHead | undefined> {
  return (await findSpecHeads(scope, organization, [named])).get(named);
}

/** Names that are asked for at once. */
const atOnce = 500;

/** The same for several names; those of which there is nothing are left out. */
export async function findSpecHeads(
  scope: Pick<Scope, 'store'>,
  organization: string,
  names: readonly string[],
): Promise<Map<string, SpecHead>> {
  const heads = new Map<string, SpecHead>();
  const all = [...new Set(names)];
  for (let start = 0; start < all.length; start += atOnce) {
    const some = all.slice(start, start + atOnce);
    const docs = await findDocuments(scope, organization, some);
    // Asked at once, they are one query.
    const found = await Promise.all(docs.map((doc) => headOf(scope, doc)));
    const bySlug = new Map(docs.map(({ key }, index) => [key, found[index]]));
    const byId = new Map(docs.map(({ _id }, index) => [_id, found[index]]));
    for (const name of some) {
      const key = name.toLowerCase();
      const head = bySlug.has(key) ? bySlug.get(key) : byId.get(name);
      if (head !== undefined) heads.set(name, head);
    }
  }
  return heads;
}

async function headOf(scope: Pick<Scope, 'store'>, doc: Stored<SpecDocument>): Promise<SpecHead | undefined> {
  const version = await newestVersion(scope, doc);
  if (version === undefined) return undefined;
  const { _id: spec, slug, visibility } = doc;
  const { document, outline, pack } = version;
  return { spec, slug, isPublic: visibility === 'public', version: version._id, document, outline, pack };
}

/**
 * The newest version of a specification; `undefined` when it has none yet. The read models of both follow the log each
 * by itself: until the newest is there, it is the one before.
 */
export async function newestVersion(
  { store }: Pick<Scope, 'store'>,
  { _id: spec, lastVersion }: Pick<Stored<SpecDocument>, '_id' | 'lastVersion'>,
): Promise<Stored<SpecVersionDocument> | undefined> {
  if (lastVersion === undefined) return undefined;
  const versions = store.read(specVersions);
  const version = await versions.byId(lastVersion);
  if (version !== null) return version;
  const [newest] = await versions.find({ spec }).sort({ createdAt: -1, _id: -1 }).limit(1).toArray();
  return newest;
}

function findDocuments(
  { store }: Pick<Scope, 'store'>,
  organization: string,
  names: readonly string[],
): Promise<Stored<SpecDocument>[]> {
  const keys = names.map((name) => name.toLowerCase());
  return store
    .read(specDocuments)
    .find({ organization, $or: [{ key: { $in: keys } }, { _id: { $in: [...names] } }] })
    .limit(2 * names.length)
    .toArray();
}

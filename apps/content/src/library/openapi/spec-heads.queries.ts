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
  const doc = await findDocument(scope, organization, named);
  const version = doc === undefined ? undefined : await newestVersion(scope, doc);
  if (doc === undefined || version === undefined) return undefined;
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

async function findDocument(
  { store }: Pick<Scope, 'store'>,
  organization: string,
  named: string,
): Promise<Stored<SpecDocument> | undefined> {
  const model = store.read(specDocuments);
  const [bySlug] = await model.find({ organization, key: named.toLowerCase() }).limit(1).toArray();
  if (bySlug !== undefined) return bySlug;
  const byId = await model.byId(named);
  return byId?.organization === organization ? byId : undefined;
}

import type { Scope } from '@scriptorium/platform';
import type { Stored } from '@scriptorium/event-sourcing';
import { specDocuments, type SpecDocument } from './spec.projection.js';
import { specVersions } from './spec-version.projection.js';

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
  if (doc?.lastVersion === undefined) return undefined;
  const { _id: spec, slug, visibility, lastVersion } = doc;
  const versions = scope.store.read(specVersions);
  // The two read models follow the log each by itself.
  const [newest] = await versions.find({ spec }).sort({ createdAt: -1, _id: -1 }).limit(1).toArray();
  const version = (await versions.byId(lastVersion)) ?? newest;
  if (version === undefined) return undefined;
  const { document, outline, pack } = version;
  return { spec, slug, isPublic: visibility === 'public', version: version._id, document, outline, pack };
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

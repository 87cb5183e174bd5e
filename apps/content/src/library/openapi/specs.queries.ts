import { AppError, roleAtLeast, specBounds, type OpenAPISpec, type OpenAPISpecVersion } from '@scriptorium/contracts';
import type { Place } from '@scriptorium/access';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { refreshAt } from './refresh-spec.timer.js';
import { specDocuments, type SpecDocument } from './spec.projection.js';
import { findTexts } from './spec-texts.operational.js';
import { specVersions, type SpecVersionDocument } from './spec-version.projection.js';

type SpecRecord = Stored<SpecDocument>;

/** @throws AppError `not_found` */
export async function requireSpec(scope: Scope, organization: string, slug: string): Promise<SpecRecord> {
  const key = slug.toLowerCase();
  const [doc] = await scope.store.read(specDocuments).find({ organization, key }).limit(1).toArray();
  if (doc === undefined) throw new AppError('not_found');
  return doc;
}

/** A specification as a member sees it, with what was found in it. */
export async function getSpec(scope: Scope, place: Place, slug: string): Promise<OpenAPISpec> {
  return showSpec(scope, place, await requireSpec(scope, place.organization, slug));
}

/** The same by its id, which finds what a dry run has created, too. */
export async function getSpecById(scope: Scope, place: Place, id: string): Promise<OpenAPISpec> {
  const doc = await scope.store.read(specDocuments).byId(id);
  if (doc === null) throw new AppError('not_found');
  return showSpec(scope, place, doc);
}

async function showSpec(scope: Scope, place: Place, doc: SpecRecord): Promise<OpenAPISpec> {
  const [spec] = await renderSpecs(scope, place, [doc]);
  const { _id: id, lastRun: name } = doc;
  if (spec === undefined || name === undefined) return spec as OpenAPISpec;
  const found = (await findTexts(scope, [{ spec: id, name }])).get(`${id}/${name}`)?.problems ?? [];
  return { ...spec, lastProcessedErrors: found.slice(0, specBounds.problems) };
}

export async function listSpecs(
  scope: Scope,
  place: Place,
  {
    operation,
    visibility,
    ...request
  }: PageRequest & { operation: string; visibility?: SpecDocument['visibility'] | undefined },
): Promise<Page<OpenAPISpec>> {
  const { organization } = place;
  const filter = { organization, ...(visibility !== undefined && { visibility }) };
  const page = await findPage<SpecDocument>(scope.cursors, {
    model: scope.store.read(specDocuments),
    filter,
    sort: 'createdAt',
    binding: { operation, scope: filter, order: 'desc' },
    request,
  });
  return { ...page, items: await renderSpecs(scope, place, page.items) };
}

async function renderSpecs(scope: Scope, place: Place, docs: readonly SpecRecord[]): Promise<OpenAPISpec[]> {
  const texts = await findTexts(
    scope,
    docs.map(({ _id: spec, source: { name } }) => ({ spec, name })),
  );
  return docs.map((doc) => renderSpec(scope, place, doc, texts.get(`${doc._id}/${doc.source.name}`)?.url));
}

function renderSpec({ urls }: Scope, { role }: Place, doc: SpecRecord, sourceURL: string | undefined): OpenAPISpec {
  const { _id: id, organization, slug, createdAt, updatedAt, processingState, visibility } = doc;
  const { lastVersion, lastProcessedAt, lastProcessErrorCode, problems } = doc;
  const isRefreshed = doc.source.kind === 'url' && lastProcessedAt !== undefined;
  return {
    object: 'openapi-spec',
    id,
    createdAt,
    updatedAt,
    slug,
    // It may hold a token of the other side.
    ...(sourceURL !== undefined && roleAtLeast(role, 'create') && { sourceURL }),
    processingState,
    visibility,
    ...(lastVersion !== undefined && { lastVersion }),
    ...(lastProcessedAt !== undefined && { lastProcessedAt }),
    ...(lastProcessErrorCode != null && { lastProcessErrorCode }),
    ...(problems !== undefined && { problems }),
    ...(isRefreshed && { nextProcessingAt: new Date(refreshAt(id, Date.parse(lastProcessedAt))).toISOString() }),
    permissions: { view: true, edit: roleAtLeast(role, 'create') },
    urls: {
      location: `${urls.api}/orgs/${organization}/openapi/${slug}`,
      app: `${urls.app}/o/${organization}/openapi/${slug}`,
    },
  };
}

type VersionRecord = Stored<SpecVersionDocument>;

export async function listVersions(
  scope: Scope,
  spec: SpecRecord,
  { operation, ...request }: PageRequest & { operation: string },
): Promise<Page<OpenAPISpecVersion>> {
  const filter = { spec: spec._id };
  const page = await findPage<SpecVersionDocument>(scope.cursors, {
    model: scope.store.read(specVersions),
    filter,
    sort: 'createdAt',
    binding: { operation, scope: filter, order: 'desc' },
    request,
  });
  return { ...page, items: page.items.map((version) => renderVersion(scope, spec, version)) };
}

/** A version of a specification; `undefined` names the newest. @throws AppError `not_found` */
export async function requireVersion(scope: Scope, spec: SpecRecord, id: string | undefined): Promise<VersionRecord> {
  const version = id === undefined ? null : await scope.store.read(specVersions).byId(id);
  if (version?.spec !== spec._id) throw new AppError('not_found');
  return version;
}

/** The version before another one; `null` for the first. */
export async function findVersionBefore(
  scope: Scope,
  { spec, createdAt }: VersionRecord,
): Promise<VersionRecord | null> {
  const earlier = { spec, createdAt: { $lt: createdAt } };
  const [version] = await scope.store
    .read(specVersions)
    .find(earlier)
    .sort({ createdAt: -1, _id: -1 })
    .limit(1)
    .toArray();
  return version ?? null;
}

export function renderVersion({ urls }: Scope, spec: SpecRecord, version: VersionRecord): OpenAPISpecVersion {
  const { _id: id, createdAt, operations, schemas, problems, bytes, document, changes } = version;
  return {
    object: 'openapi-spec-version',
    id,
    createdAt,
    operations,
    schemas,
    problems,
    bytes,
    hash: document,
    ...(changes !== null && { changes }),
    urls: { location: `${urls.api}/orgs/${spec.organization}/openapi/${spec.slug}/versions/${id}` },
  };
}

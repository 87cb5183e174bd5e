import { AppError, roleAtLeast, specBounds, type OpenAPISpec } from '@scriptorium/contracts';
import type { Place } from '@scriptorium/access';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { refreshAt } from './refresh-spec.timer.js';
import { specDocuments, type SpecDocument } from './spec.projection.js';
import { findTexts } from './spec-texts.operational.js';
import { publishedUrl } from './version-content.queries.js';

type SpecRecord = Stored<SpecDocument>;

/** For whom specifications are shown, and where files are served. */
export interface SpecView {
  scope: Scope;
  place: Place;
  /** The base of addresses of files. */
  origin: string;
}

/** @throws AppError `not_found` */
export async function requireSpec(scope: Scope, organization: string, slug: string): Promise<SpecRecord> {
  const key = slug.toLowerCase();
  const [doc] = await scope.store.read(specDocuments).find({ organization, key }).limit(1).toArray();
  if (doc === undefined) throw new AppError('not_found');
  return doc;
}

/** A specification as a member sees it, with what was found in it. */
export async function getSpec(view: SpecView, slug: string): Promise<OpenAPISpec> {
  return showSpec(view, await requireSpec(view.scope, view.place.organization, slug));
}

/** The same by its id, which finds what a dry run has created, too. */
export async function getSpecById(view: SpecView, id: string): Promise<OpenAPISpec> {
  const doc = await view.scope.store.read(specDocuments).byId(id);
  if (doc === null) throw new AppError('not_found');
  return showSpec(view, doc);
}

async function showSpec(view: SpecView, doc: SpecRecord): Promise<OpenAPISpec> {
  const [spec] = await renderSpecs(view, [doc]);
  const { _id: id, lastRun: name } = doc;
  if (spec === undefined || name === undefined) return spec as OpenAPISpec;
  const found = (await findTexts(view.scope, [{ spec: id, name }])).get(`${id}/${name}`)?.problems ?? [];
  return { ...spec, lastProcessedErrors: found.slice(0, specBounds.problems) };
}

export async function listSpecs(
  view: SpecView,
  {
    operation,
    visibility,
    ...request
  }: PageRequest & { operation: string; visibility?: SpecDocument['visibility'] | undefined },
): Promise<Page<OpenAPISpec>> {
  const { scope, place } = view;
  const { organization } = place;
  const filter = { organization, ...(visibility !== undefined && { visibility }) };
  const page = await findPage<SpecDocument>(scope.cursors, {
    model: scope.store.read(specDocuments),
    filter,
    sort: 'createdAt',
    binding: { operation, scope: filter, order: 'desc' },
    request,
  });
  return { ...page, items: await renderSpecs(view, page.items) };
}

async function renderSpecs(view: SpecView, docs: readonly SpecRecord[]): Promise<OpenAPISpec[]> {
  const texts = await findTexts(
    view.scope,
    docs.map(({ _id: spec, source: { name } }) => ({ spec, name })),
  );
  return docs.map((doc) => renderSpec(view, doc, texts.get(`${doc._id}/${doc.source.name}`)?.url));
}

function renderSpec(
  { scope: { urls }, place: { role }, origin }: SpecView,
  doc: SpecRecord,
  sourceURL: string | undefined,
): OpenAPISpec {
  const published = publishedUrl(origin, doc);
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
      ...(published !== undefined && { published }),
    },
  };
}

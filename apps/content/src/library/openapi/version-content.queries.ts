import { AppError, specBounds, type OpenAPISpecContent, type OpenAPISpecVersion } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import type { FileStore } from '../../versions/index.js';
import { bytesOf, poolOf, requireBytes } from './spec-bytes.operational.js';
import { newestVersion } from './spec-heads.queries.js';
import type { SpecDocument } from './spec.projection.js';
import { specVersions, type SpecVersionDocument } from './spec-version.projection.js';

type SpecRecord = Stored<SpecDocument>;
type VersionRecord = Stored<SpecVersionDocument>;

/** A specification whose versions are shown. */
export interface ShownSpec {
  scope: Scope;
  files: FileStore;
  spec: SpecRecord;
}

/** Where everybody can read a public specification. */
export function publishedUrl(origin: string, { organization, slug, visibility }: SpecRecord): string | undefined {
  return visibility === 'public' ? `${origin}/openapi/${organization}/${slug}.json` : undefined;
}

export async function listVersions(
  shown: ShownSpec,
  { operation, ...request }: PageRequest & { operation: string },
): Promise<Page<OpenAPISpecVersion>> {
  const { scope, spec } = shown;
  const filter = { spec: spec._id };
  const page = await findPage<SpecVersionDocument>(scope.cursors, {
    model: scope.store.read(specVersions),
    filter,
    sort: 'createdAt',
    binding: { operation, scope: filter, order: 'desc' },
    request,
  });
  const since = await keptSince(shown);
  return { ...page, items: page.items.map((version) => renderVersion(shown, version, since)) };
}

export async function getVersion(shown: ShownSpec, id: string | undefined): Promise<OpenAPISpecVersion> {
  const version = await requireVersion(shown, id);
  return renderVersion(shown, version, await keptSince(shown));
}

/** A version of a specification; `undefined` names the newest. @throws AppError `not_found` */
export async function requireVersion(
  { scope, spec }: Pick<ShownSpec, 'scope' | 'spec'>,
  id: string | undefined,
): Promise<VersionRecord> {
  const version = id === undefined ? await newestVersion(scope, spec) : await scope.store.read(specVersions).byId(id);
  if (id === undefined && version === undefined)
    throw new AppError('not_found', [], {
      message: 'The specification has no version yet: none of its texts was readable',
    });
  if (version?.spec !== spec._id) throw new AppError('not_found');
  return version;
}

/** The same, if its content is kept. @throws AppError `not_found`, `gone` */
export async function requireKept(shown: ShownSpec, id: string | undefined): Promise<VersionRecord> {
  const version = await requireVersion(shown, id);
  if (version.createdAt < (await keptSince(shown)))
    throw gone(`The content of the newest ${specBounds.versions} versions is kept, and this one is older`);
  return version;
}

function gone(message: string): AppError {
  return new AppError('gone', [], { message });
}

/** When the oldest version was made whose content is kept. */
async function keptSince({ scope, spec }: ShownSpec): Promise<string> {
  const [oldest] = await scope.store
    .read(specVersions)
    .find({ spec: spec._id })
    .sort({ createdAt: -1, _id: -1 })
    .skip(specBounds.versions - 1)
    .limit(1)
    .toArray();
  return oldest?.createdAt ?? '';
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

function renderVersion(shown: ShownSpec, version: VersionRecord, since: string): OpenAPISpecVersion {
  const { urls } = shown.scope;
  const { organization, slug } = shown.spec;
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
    ...(createdAt >= since && { url: urlOf(shown, version) }),
    urls: { location: `${urls.api}/orgs/${organization}/openapi/${slug}/versions/${id}` },
  };
}

/** Where the document of a version can be read for a while by whoever has the address. */
function urlOf({ files, spec }: ShownSpec, { document, bytes }: VersionRecord): string {
  const links = files.linksOf(poolOf({ spec: spec._id, part: 'forms' }));
  const name = `${spec.slug}.json`;
  return links.urlOf({ name, hash: document, size: bytes, contentType: 'application/json' });
}

/** Where the content of a version can be read. @throws AppError `not_found`, `gone`, `unavailable` */
export async function getContent(shown: ShownSpec, id: string | undefined): Promise<OpenAPISpecContent> {
  const version = await requireKept(shown, id);
  const { scope, files, spec } = shown;
  const { document: hash, bytes } = version;
  await requireBytes(scope, files, { spec: spec._id, part: 'forms' }, hash);
  const url = urlOf(shown, version);
  return {
    filesystem: { 'openapi.json': { url, bytes, hash } },
    url,
    urls: { source: url, public: publishedUrl(files.origin, spec) ?? null },
  };
}

/** The text that a version was made of. @throws AppError `not_found`, `gone`, `unavailable` */
export async function getText(
  shown: ShownSpec,
  id: string | undefined,
): Promise<{ text: string; format: 'json' | 'yaml' }> {
  const { source, format } = await requireKept(shown, id);
  if (source === undefined || format === undefined) throw gone('The text of this version was not kept');
  const bytes = await bytesOf(shown.files, { spec: shown.spec._id, part: 'source' }, source);
  return { text: bytes.toString('utf8'), format };
}

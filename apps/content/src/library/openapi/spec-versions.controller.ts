import {
  getLatestOpenAPISpecVersion,
  getLatestOpenAPISpecVersionContent,
  getLatestOpenAPISpecVersionContentRaw,
  getOpenAPISpecVersionById,
  getOpenAPISpecVersionContentById,
  getOpenAPISpecVersionContentRawById,
  listOpenAPISpecVersionChanges,
  listOpenAPISpecVersions,
  specBounds,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { FileStore } from '../../versions/index.js';
import { compareVersions } from './processing/compare-versions.process.js';
import { bytesOf } from './spec-bytes.operational.js';
import { requireSpec } from './specs.queries.js';
import {
  findVersionBefore,
  getContent,
  getText,
  getVersion,
  listVersions,
  requireKept,
  type ShownSpec,
} from './version-content.queries.js';

/** Versions of OpenAPI specifications. */
@Controller()
export class SpecVersionsController {
  constructor(private readonly files: FileStore) {}

  @Handles(listOpenAPISpecVersions)
  async list({ params, query }: InputOf<typeof listOpenAPISpecVersions>, call: Call) {
    return listVersions(await this.shown(params, call), { ...query, operation: call.operation });
  }

  @Handles(getLatestOpenAPISpecVersion)
  async latest({ params }: InputOf<typeof getLatestOpenAPISpecVersion>, call: Call) {
    const shown = await this.shown(params, call);
    return getVersion(shown, undefined);
  }

  @Handles(getOpenAPISpecVersionById)
  async get({ params }: InputOf<typeof getOpenAPISpecVersionById>, call: Call) {
    return getVersion(await this.shown(params, call), params.versionId);
  }

  @Handles(getOpenAPISpecVersionContentById)
  async content({ params }: InputOf<typeof getOpenAPISpecVersionContentById>, call: Call) {
    return getContent(await this.shown(params, call), params.versionId);
  }

  @Handles(getLatestOpenAPISpecVersionContent)
  async latestContent({ params }: InputOf<typeof getLatestOpenAPISpecVersionContent>, call: Call) {
    const shown = await this.shown(params, call);
    return getContent(shown, undefined);
  }

  @Handles(getOpenAPISpecVersionContentRawById)
  async text({ params }: InputOf<typeof getOpenAPISpecVersionContentRawById>, call: Call) {
    return getText(await this.shown(params, call), params.versionId);
  }

  @Handles(getLatestOpenAPISpecVersionContentRaw)
  async latestText({ params }: InputOf<typeof getLatestOpenAPISpecVersionContentRaw>, call: Call) {
    const shown = await this.shown(params, call);
    return getText(shown, undefined);
  }

  @Handles(listOpenAPISpecVersionChanges)
  async changes({ params, query }: InputOf<typeof listOpenAPISpecVersionChanges>, call: Call) {
    const shown = await this.shown(params, call);
    const to = await requireKept(shown, params.versionId);
    const earlier = query.from ?? (await findVersionBefore(call, to))?._id;
    if (earlier === undefined) return { items: [], count: 0, breaking: 0, to: to._id };
    const from = await requireKept(shown, earlier);
    const forms = { spec: shown.spec._id, part: 'forms' } as const;
    const [before, after] = await Promise.all([
      bytesOf(this.files, forms, from.pack),
      bytesOf(this.files, forms, to.pack),
    ]);
    const changes = await compareVersions(call, { before, after });
    return {
      items: changes.slice(0, specBounds.changes),
      count: changes.length,
      breaking: changes.filter(({ breaking }) => breaking).length,
      from: from._id,
      to: to._id,
    };
  }

  private async shown(
    { organizationId, specSlug }: { organizationId: string; specSlug: string },
    call: Call,
  ): Promise<ShownSpec> {
    return { scope: call, files: this.files, spec: await requireSpec(call, organizationId, specSlug) };
  }
}

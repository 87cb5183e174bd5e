import {
  getLatestOpenAPISpecVersion,
  getOpenAPISpecVersionById,
  getOpenAPISpecVersionContentById,
  listOpenAPISpecVersionChanges,
  listOpenAPISpecVersions,
  specBounds,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { FileStore } from '../../versions/index.js';
import { compareVersions } from './processing/compare-versions.process.js';
import { bytesOf } from './spec-bytes.operational.js';
import { findVersionBefore, listVersions, renderVersion, requireSpec, requireVersion } from './specs.queries.js';

/** Versions of OpenAPI specifications. */
@Controller()
export class SpecVersionsController {
  constructor(private readonly files: FileStore) {}

  @Handles(listOpenAPISpecVersions)
  async list({ params, query }: InputOf<typeof listOpenAPISpecVersions>, call: Call) {
    const spec = await requireSpec(call, params.organizationId, params.specSlug);
    return listVersions(call, spec, { ...query, operation: call.operation });
  }

  @Handles(getLatestOpenAPISpecVersion)
  async latest({ params }: InputOf<typeof getLatestOpenAPISpecVersion>, call: Call) {
    const spec = await requireSpec(call, params.organizationId, params.specSlug);
    return renderVersion(call, spec, await requireVersion(call, spec, spec.lastVersion));
  }

  @Handles(getOpenAPISpecVersionById)
  async get({ params }: InputOf<typeof getOpenAPISpecVersionById>, call: Call) {
    const spec = await requireSpec(call, params.organizationId, params.specSlug);
    return renderVersion(call, spec, await requireVersion(call, spec, params.versionId));
  }

  @Handles(getOpenAPISpecVersionContentById)
  async content({ params }: InputOf<typeof getOpenAPISpecVersionContentById>, call: Call) {
    const spec = await requireSpec(call, params.organizationId, params.specSlug);
    const { document } = await requireVersion(call, spec, params.versionId);
    const bytes = await bytesOf(this.files, { spec: spec._id, part: 'forms' }, document);
    return { text: bytes.toString('utf8'), format: 'json' as const };
  }

  @Handles(listOpenAPISpecVersionChanges)
  async changes({ params, query }: InputOf<typeof listOpenAPISpecVersionChanges>, call: Call) {
    const spec = await requireSpec(call, params.organizationId, params.specSlug);
    const to = await requireVersion(call, spec, params.versionId);
    const from =
      query.from === undefined ? await findVersionBefore(call, to) : await requireVersion(call, spec, query.from);
    if (from === null) return { items: [], count: 0, breaking: 0, to: to._id };
    const forms = { spec: spec._id, part: 'forms' } as const;
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
}

import { installationPlace, ServiceAccess, type Place } from '@scriptorium/access';
import {
  AppError,
  createOpenAPISpec,
  createOrUpdateOpenAPISpecBySlug,
  deleteOpenAPISpecBySlug,
  getOpenAPISpecBySlug,
  listOpenAPISpecs,
  updateOpenAPISpecBySlug,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, readAfterCreate, Reply, type Call } from '@scriptorium/platform';
import { FileStore } from '../../versions/index.js';
import { requirePlace } from '../nodes/index.js';
import { createSpec, putSource } from './give-source.process.js';
import { SpecWaits } from './spec-waits.process.js';
import { remove, show, specs } from './spec.js';
import { getSpec, getSpecById, listSpecs, type SpecView } from './specs.queries.js';

/** OpenAPI specifications of organizations. */
@Controller()
export class SpecsController {
  constructor(
    private readonly access: ServiceAccess,
    private readonly files: FileStore,
    private readonly waits: SpecWaits,
  ) {}

  @Handles(listOpenAPISpecs)
  async list({ params, query }: InputOf<typeof listOpenAPISpecs>, call: Call) {
    return listSpecs(await this.view(call, params.organizationId), { ...query, operation: call.operation });
  }

  @Handles(createOpenAPISpec)
  async create({ params, body }: InputOf<typeof createOpenAPISpec>, call: Call) {
    const { organizationId: organization } = params;
    const view = await this.view(call, organization);
    const { id } = await createSpec(call, this.files, { organization, ...body });
    const waited = await this.waits.wait(call, id);
    const spec = await readAfterCreate(call, () => getSpecById(view, id));
    return new Reply(spec, { waited });
  }

  @Handles(getOpenAPISpecBySlug)
  async get({ params }: InputOf<typeof getOpenAPISpecBySlug>, call: Call) {
    return getSpec(await this.view(call, params.organizationId), params.specSlug);
  }

  @Handles(createOrUpdateOpenAPISpecBySlug)
  async put({ params, body }: InputOf<typeof createOrUpdateOpenAPISpecBySlug>, call: Call) {
    const { organizationId: organization, specSlug: slug } = params;
    const view = await this.view(call, organization);
    const { id, created } = await putSource(call, this.files, { organization, slug, source: body.source });
    const waited = await this.waits.wait(call, id);
    const spec = await readAfterCreate(call, () => getSpecById(view, id));
    return new Reply(spec, { waited, ...(created && { status: 201, location: spec.urls.location }) });
  }

  @Handles(updateOpenAPISpecBySlug)
  async update({ params, body }: InputOf<typeof updateOpenAPISpecBySlug>, call: Call) {
    const { organizationId: organization, specSlug: slug } = params;
    const view = await this.view(call, organization);
    await call.store.handle(specs, organization, (state) => show(state, slug, body.visibility));
    return getSpec(view, slug);
  }

  @Handles(deleteOpenAPISpecBySlug)
  async remove({ params }: InputOf<typeof deleteOpenAPISpecBySlug>, call: Call) {
    const { organizationId: organization, specSlug: slug } = params;
    const { events } = await call.store.handle(specs, organization, (state) => remove(state, slug));
    return events.length > 0;
  }

  private async view(call: Call, organization: string): Promise<SpecView> {
    return { scope: call, place: await this.place(call, organization), origin: this.files.origin };
  }

  private async place(call: Call, organization: string): Promise<Place> {
    const { principal } = call;
    if (principal.kind !== 'installation') return requirePlace(call, this.access, organization);
    const place = installationPlace(await this.access.reachOf(call, principal), organization);
    if (place === null) throw new AppError('not_found');
    return place;
  }
}

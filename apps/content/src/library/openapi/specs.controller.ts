import { ServiceAccess } from '@scriptorium/access';
import {
  createOpenAPISpec,
  createOrUpdateOpenAPISpecBySlug,
  deleteOpenAPISpecBySlug,
  getOpenAPISpecBySlug,
  listOpenAPISpecs,
  updateOpenAPISpecBySlug,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, readAfterCreate, type Call } from '@scriptorium/platform';
import { FileStore } from '../../versions/index.js';
import { requirePlace } from '../nodes/index.js';
import { bySlug, create, put, remove, show, specs } from './spec.js';
import { getSpec, listSpecs } from './specs.queries.js';
import { storeSource } from './store-source.process.js';

/** OpenAPI specifications of organizations. */
@Controller()
export class SpecsController {
  constructor(
    private readonly access: ServiceAccess,
    private readonly files: FileStore,
  ) {}

  @Handles(listOpenAPISpecs)
  async list({ params, query }: InputOf<typeof listOpenAPISpecs>, call: Call) {
    const place = await requirePlace(call, this.access, params.organizationId);
    return listSpecs(call, place, { ...query, operation: call.operation });
  }

  @Handles(createOpenAPISpec)
  async create({ params, body }: InputOf<typeof createOpenAPISpec>, call: Call) {
    const { organizationId: organization } = params;
    const place = await requirePlace(call, this.access, organization);
    const id = call.idFor('openapi-spec');
    const wanted = { id, slug: body.slug, field: 'body.slug', limit: call.limits.openAPISpecsPerOrganization };
    const nothing = { kind: 'text', name: '' } as const;
    // What is refused must not leave a text behind.
    await call.store.step('judge').handle(specs, organization, (state) => {
      if (!state.specs.has(id)) create(state, { ...wanted, source: nothing });
      return [];
    });
    const source = await storeSource(call, this.files, id, body.source);
    await call.store.handle(specs, organization, (state) => create(state, { ...wanted, source }));
    return readAfterCreate(call, () => getSpec(call, place, body.slug));
  }

  @Handles(getOpenAPISpecBySlug)
  async get({ params }: InputOf<typeof getOpenAPISpecBySlug>, call: Call) {
    const place = await requirePlace(call, this.access, params.organizationId);
    return getSpec(call, place, params.specSlug);
  }

  @Handles(createOrUpdateOpenAPISpecBySlug)
  async put({ params, body }: InputOf<typeof createOrUpdateOpenAPISpecBySlug>, call: Call) {
    const { organizationId: organization, specSlug: slug } = params;
    const place = await requirePlace(call, this.access, organization);
    const { state } = await call.store.step('judge').handle(specs, organization, () => []);
    const before = bySlug(state, slug);
    const id = before?.id ?? call.idFor('openapi-spec');
    const wanted = { id, slug, field: 'params.specSlug', limit: call.limits.openAPISpecsPerOrganization };
    put(state, { ...wanted, source: { kind: 'text', name: '' } });
    const source = await storeSource(call, this.files, id, body.source);
    await call.store.handle(specs, organization, (known) => put(known, { ...wanted, source }));
    return readAfterCreate(call, () => getSpec(call, place, slug));
  }

  @Handles(updateOpenAPISpecBySlug)
  async update({ params, body }: InputOf<typeof updateOpenAPISpecBySlug>, call: Call) {
    const { organizationId: organization, specSlug: slug } = params;
    const place = await requirePlace(call, this.access, organization);
    await call.store.handle(specs, organization, (state) => show(state, slug, body.visibility));
    return getSpec(call, place, slug);
  }

  @Handles(deleteOpenAPISpecBySlug)
  async remove({ params }: InputOf<typeof deleteOpenAPISpecBySlug>, call: Call) {
    const { organizationId: organization, specSlug: slug } = params;
    const { events } = await call.store.handle(specs, organization, (state) => remove(state, slug));
    return events.length > 0;
  }
}

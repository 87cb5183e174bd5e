import { ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  getIntegrationByName,
  listIntegrations,
  publishIntegration,
  readIntegrationImage,
  rotateIntegrationSigning,
  unpublishIntegration,
  type InputOf,
  type Principal,
} from '@scriptorium/contracts';
import { Controller, Handles, readAfterCreate, type Call, type Scope } from '@scriptorium/platform';
import type * as z from 'zod';
import { Addresses } from '../addresses/index.js';
import { AssetStore } from './asset-store.process.js';
import { integration, rotateSigning, unpublish } from './integration.js';
import { integrations } from './integration.projection.js';
import {
  findByName,
  listPublic,
  requireIntegration,
  showIntegrations,
  type StoredIntegration,
} from './integrations.queries.js';
import { integrationNames } from './names.reservation.js';
import { publishFor } from './publish.process.js';

type ImageType = z.output<(typeof readIntegrationImage)['response']>['type'];

/** Integrations, as they are published. */
@Controller()
export class PublishingController {
  constructor(
    readonly access: ServiceAccess,
    readonly addresses: Addresses,
    private readonly assets: AssetStore,
  ) {}

  @Handles(listIntegrations)
  async list({ query }: InputOf<typeof listIntegrations>, call: Call) {
    return call.cached({ of: query }, (scope) =>
      listPublic(scope, this, call.principal, { ...query, operation: call.operation }),
    );
  }

  @Handles(getIntegrationByName)
  async get({ params }: InputOf<typeof getIntegrationByName>, call: Call) {
    return call.cached({ of: params }, async (scope) =>
      this.show(scope, call, await findByName(scope, params.integrationName)),
    );
  }

  @Handles(publishIntegration)
  async publish({ params, body }: InputOf<typeof publishIntegration>, call: Call) {
    const id = await publishFor(call, { access: this.access, assets: this.assets }, params.integrationName, body);
    return readAfterCreate(call, async () => this.show(call, call, await call.store.read(integrations).byId(id)));
  }

  @Handles(unpublishIntegration)
  async unpublish({ params }: InputOf<typeof unpublishIntegration>, call: Call) {
    const { _id: owner, name: value, organization } = await requireIntegration(call, params.integrationName);
    const store = call.store.in(organization);
    const { events } = await store.giveUp(integrationNames, { value, owner }, () =>
      store.handle(integration, owner, unpublish),
    );
    return events.length > 0;
  }

  @Handles(rotateIntegrationSigning)
  async rotate({ params }: InputOf<typeof rotateIntegrationSigning>, call: Call) {
    const { _id: id, organization } = await requireIntegration(call, params.integrationName);
    await call.store.in(organization).handle(integration, id, rotateSigning);
  }

  @Handles(readIntegrationImage)
  async image(
    { integration: id, hash }: z.output<(typeof readIntegrationImage)['input']>,
    call: Call<Principal | null>,
  ) {
    const doc = await call.store.read(integrations).byId(id);
    // Scripts are in the same pool, and are shown to nobody.
    const images = doc === null ? [] : [...(doc.icon === null ? [] : [doc.icon]), ...doc.previews];
    const image = images.find((one) => one.hash === hash);
    const bytes = image === undefined ? undefined : await this.assets.read(id, hash);
    if (image === undefined || bytes === undefined) throw new AppError('not_found');
    return { type: image.type as ImageType, base64: bytes.toString('base64') };
  }

  private async show(scope: Scope, { principal }: Call, doc: StoredIntegration | null) {
    const [shown] = await showIntegrations(scope, this, principal, doc === null ? [] : [doc]);
    if (shown === undefined) throw new AppError('not_found');
    return shown;
  }
}

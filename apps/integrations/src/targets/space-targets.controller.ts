import { ServiceAccess } from '@scriptorium/access';
import {
  getIntegrationSpaceInstallation,
  installIntegrationOnSpace,
  listIntegrationInstallationSpaces,
  listIntegrationSpaceInstallations,
  uninstallIntegrationFromSpace,
  updateIntegrationSpaceInstallation,
  type InputOf,
  type IntegrationSpaceInstallation,
} from '@scriptorium/contracts';
import { Controller, Handles, Reply, type Call, type Scope } from '@scriptorium/platform';
import { Addresses } from '../addresses/index.js';
import {
  requireInstallation,
  requirePlace,
  type FoundInstallation,
  type InstallationParams,
} from '../installations/index.js';
import { requireIntegration } from '../publishing/index.js';
import { addFor, changeFor, removeFor } from './change-targets.process.js';
import { listOfInstallation, listOfIntegration, type ListedTarget } from './list-targets.queries.js';
import { referToTarget, showTargets, type FoundTarget } from './targets.queries.js';

const kind = 'space';

/** Integrations on spaces. */
@Controller()
export class SpaceTargetsController {
  constructor(
    readonly access: ServiceAccess,
    readonly addresses: Addresses,
  ) {}

  @Handles(listIntegrationSpaceInstallations)
  async ofIntegration({ params, query }: InputOf<typeof listIntegrationSpaceInstallations>, call: Call) {
    return call.cached({ of: [params, query] }, async (scope) => {
      const integration = await requireIntegration(scope, params.integrationName);
      const listing = { ...query, operation: call.operation, kind } as const;
      const page = await listOfIntegration(scope, this, { caller: call.principal, integration }, listing);
      return { ...page, items: page.items.map((one) => shown(one, query.extended)) };
    });
  }

  @Handles(listIntegrationInstallationSpaces)
  async list({ params, query }: InputOf<typeof listIntegrationInstallationSpaces>, call: Call) {
    return call.cached({ of: [params, query] }, async (scope) => {
      const found = await requireInstallation(scope, params);
      const viewer = await requirePlace(scope, this.access, found.installation.organization, call.principal);
      const listing = { ...query, operation: call.operation, kind } as const;
      const page = await listOfInstallation(scope, this, { caller: call.principal, found, viewer }, listing);
      return { ...page, items: page.items.map((one) => shown(one, query.extended)) };
    });
  }

  @Handles(installIntegrationOnSpace)
  async add({ params, query, body }: InputOf<typeof installIntegrationOnSpace>, call: Call) {
    const found = await requireInstallation(call, params);
    const target = { kind, id: body.space } as const;
    const isNew = await addFor(call, this.access, found, { target, field: 'body.space' });
    const added = await this.read(call, call, { ...params, spaceId: body.space }, query.extended);
    return isNew ? added : new Reply(added, { status: 200 });
  }

  @Handles(getIntegrationSpaceInstallation)
  async get({ params, query }: InputOf<typeof getIntegrationSpaceInstallation>, call: Call) {
    return call.cached({ of: [params, query] }, (scope) => this.read(scope, call, params, query.extended));
  }

  @Handles(updateIntegrationSpaceInstallation)
  async update({ params, query, body }: InputOf<typeof updateIntegrationSpaceInstallation>, call: Call) {
    await changeFor(call, await find(call, params), body);
    return this.read(call, call, params, query.extended);
  }

  @Handles(uninstallIntegrationFromSpace)
  async remove({ params }: InputOf<typeof uninstallIntegrationFromSpace>, call: Call) {
    return removeFor(call, await find(call, params));
  }

  private async read(scope: Scope, { principal }: Call, params: Params, isExtended: boolean) {
    const found = await find(scope, params);
    const [one] = await showTargets(scope, this, principal, [found]);
    return shown({ ...one, target: found.target } as ListedTarget, isExtended);
  }
}

type Params = InstallationParams & { spaceId: string };

async function find(scope: Pick<Scope, 'store'>, params: Params): Promise<FoundTarget> {
  const found: FoundInstallation = await requireInstallation(scope, params);
  return { ...found, target: { kind, id: params.spaceId } };
}

function shown({ target, ...one }: ListedTarget, isExtended: boolean): IntegrationSpaceInstallation {
  return { ...one, space: referToTarget(target, isExtended) } as IntegrationSpaceInstallation;
}

import { ServiceAccess } from '@scriptorium/access';
import {
  getIntegrationSiteInstallation,
  installIntegrationOnSite,
  listIntegrationInstallationSites,
  listIntegrationSiteInstallations,
  uninstallIntegrationFromSite,
  updateIntegrationSiteInstallation,
  type InputOf,
  type IntegrationSiteInstallation,
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

const kind = 'site';

/** Integrations on sites. */
@Controller()
export class SiteTargetsController {
  constructor(
    readonly access: ServiceAccess,
    readonly addresses: Addresses,
  ) {}

  @Handles(listIntegrationSiteInstallations)
  async ofIntegration({ params, query }: InputOf<typeof listIntegrationSiteInstallations>, call: Call) {
    return call.cached({ of: [params, query] }, async (scope) => {
      const integration = await requireIntegration(scope, params.integrationName);
      const listing = { ...query, operation: call.operation, kind } as const;
      const page = await listOfIntegration(scope, this, { caller: call.principal, integration }, listing);
      return { ...page, items: page.items.map((one) => shown(one, query.extended)) };
    });
  }

  @Handles(listIntegrationInstallationSites)
  async list({ params, query }: InputOf<typeof listIntegrationInstallationSites>, call: Call) {
    return call.cached({ of: [params, query] }, async (scope) => {
      const found = await requireInstallation(scope, params);
      const viewer = await requirePlace(scope, this.access, found.installation.organization, call.principal);
      const listing = { ...query, operation: call.operation, kind } as const;
      const page = await listOfInstallation(scope, this, { caller: call.principal, found, viewer }, listing);
      return { ...page, items: page.items.map((one) => shown(one, query.extended)) };
    });
  }

  @Handles(installIntegrationOnSite)
  async add({ params, query, body }: InputOf<typeof installIntegrationOnSite>, call: Call) {
    const found = await requireInstallation(call, params);
    // Clients name it `siteId`; `site` is what the list of operations says.
    const id = body.siteId ?? body.site ?? '';
    const field = body.siteId === undefined ? 'body.site' : 'body.siteId';
    const isNew = await addFor(call, this.access, found, { target: { kind, id }, field });
    const added = await this.read(call, call, { ...params, siteId: id }, query.extended);
    return isNew ? added : new Reply(added, { status: 200 });
  }

  @Handles(getIntegrationSiteInstallation)
  async get({ params, query }: InputOf<typeof getIntegrationSiteInstallation>, call: Call) {
    return call.cached({ of: [params, query] }, (scope) => this.read(scope, call, params, query.extended));
  }

  @Handles(updateIntegrationSiteInstallation)
  async update({ params, query, body }: InputOf<typeof updateIntegrationSiteInstallation>, call: Call) {
    await changeFor(call, await find(call, params), body);
    return this.read(call, call, params, query.extended);
  }

  @Handles(uninstallIntegrationFromSite)
  async remove({ params }: InputOf<typeof uninstallIntegrationFromSite>, call: Call) {
    return removeFor(call, await find(call, params));
  }

  private async read(scope: Scope, { principal }: Call, params: Params, isExtended: boolean) {
    const found = await find(scope, params);
    const [one] = await showTargets(scope, this, principal, [found]);
    return shown({ ...one, target: found.target } as ListedTarget, isExtended);
  }
}

type Params = InstallationParams & { siteId: string };

async function find(scope: Pick<Scope, 'store'>, params: Params): Promise<FoundTarget> {
  const found: FoundInstallation = await requireInstallation(scope, params);
  return { ...found, target: { kind, id: params.siteId } };
}

function shown({ target, ...one }: ListedTarget, isExtended: boolean): IntegrationSiteInstallation {
  return { ...one, site: referToTarget(target, isExtended) } as IntegrationSiteInstallation;
}

import { ServiceAccess } from '@scriptorium/access';
import {
  getIntegrationSiteInstallation,
  installIntegrationOnSite,
  listIntegrationInstallationSites,
  listIntegrationSiteInstallations,
  uninstallIntegrationFromSite,
  updateIntegrationSiteInstallation,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { Addresses } from '../addresses/index.js';
import type { InstallationParams } from '../installations/index.js';
import { changeFor, removeFor } from './change-targets.process.js';
import {
  addShown,
  findTarget,
  showOfInstallation,
  showOfIntegration,
  showOne,
  type Asked,
} from './shown-targets.process.js';

const kind = 'site';
type Params = InstallationParams & { siteId: string };

/** Integrations on sites. */
@Controller()
export class SiteTargetsController {
  constructor(
    readonly access: ServiceAccess,
    readonly addresses: Addresses,
  ) {}

  @Handles(listIntegrationSiteInstallations)
  async ofIntegration(input: InputOf<typeof listIntegrationSiteInstallations>, call: Call) {
    return showOfIntegration(call, this, kind, input);
  }

  @Handles(listIntegrationInstallationSites)
  async list(input: InputOf<typeof listIntegrationInstallationSites>, call: Call) {
    return showOfInstallation(call, this, kind, input);
  }

  @Handles(installIntegrationOnSite)
  async add({ params, query, body }: InputOf<typeof installIntegrationOnSite>, call: Call) {
    // Clients name it `siteId`; `site` is what the list of operations says.
    const field = body.siteId === undefined ? 'body.site' : 'body.siteId';
    const asked = this.asked({ ...params, siteId: body.siteId ?? body.site ?? '' }, query);
    return addShown(call, this, asked, field);
  }

  @Handles(getIntegrationSiteInstallation)
  async get({ params, query }: InputOf<typeof getIntegrationSiteInstallation>, call: Call) {
    return call.cached({ of: [params, query] }, (scope) => showOne(scope, call, this, this.asked(params, query)));
  }

  @Handles(updateIntegrationSiteInstallation)
  async update({ params, query, body }: InputOf<typeof updateIntegrationSiteInstallation>, call: Call) {
    const asked = this.asked(params, query);
    await changeFor(call, await findTarget(call, params, asked.target), body);
    return showOne(call, call, this, asked);
  }

  @Handles(uninstallIntegrationFromSite)
  async remove({ params }: InputOf<typeof uninstallIntegrationFromSite>, call: Call) {
    return removeFor(call, await findTarget(call, params, { kind, id: params.siteId }));
  }

  private asked(params: Params, { extended }: { extended: boolean }): Asked<typeof kind> {
    return { params, target: { kind, id: params.siteId }, extended };
  }
}

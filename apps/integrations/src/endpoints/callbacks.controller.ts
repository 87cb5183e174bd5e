import {
  beginIntegrationInstallationCallback,
  beginIntegrationSiteInstallationCallback,
  beginIntegrationSpaceInstallationCallback,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { Addresses } from '../addresses/index.js';
import { requireInstallation, type InstallationParams, type Target } from '../installations/index.js';
import { beginButton } from './begin-callback.process.js';

/** Begins what buttons of configurations do. */
@Controller()
export class CallbacksController {
  constructor(readonly addresses: Addresses) {}

  @Handles(beginIntegrationInstallationCallback)
  ofInstallation({ params }: InputOf<typeof beginIntegrationInstallationCallback>, call: Call) {
    return this.begin(call, params, null);
  }

  @Handles(beginIntegrationSpaceInstallationCallback)
  ofSpace({ params }: InputOf<typeof beginIntegrationSpaceInstallationCallback>, call: Call) {
    return this.begin(call, params, { kind: 'space', id: params.spaceId });
  }

  @Handles(beginIntegrationSiteInstallationCallback)
  ofSite({ params }: InputOf<typeof beginIntegrationSiteInstallationCallback>, call: Call) {
    return this.begin(call, params, { kind: 'site', id: params.siteId });
  }

  private async begin(call: Call, params: InstallationParams & { property: string }, target: Target | null) {
    const found = await requireInstallation(call, params);
    return { url: await beginButton(call, this.addresses, { ...found, target, property: params.property }) };
  }
}

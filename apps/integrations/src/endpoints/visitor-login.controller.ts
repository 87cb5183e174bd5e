import { ServiceAccess } from '@scriptorium/access';
import { findVisitorLogin, type Principal } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { Addresses } from '../addresses/index.js';
import { findInstalled, stateOnSite } from './site-state.queries.js';

/** Tells other services where integrations sign in the visitors of sites. */
@Controller()
export class VisitorLoginController {
  constructor(
    readonly access: ServiceAccess,
    readonly addresses: Addresses,
  ) {}

  @Handles(findVisitorLogin)
  async find(
    { organization, site, integration: name }: z.output<(typeof findVisitorLogin)['input']>,
    call: Call<Principal | null>,
  ): Promise<z.input<(typeof findVisitorLogin)['response']>> {
    const found = await findInstalled(call, organization, name);
    if (found === null) return { state: 'not_installed' };
    const { _id: installation } = found.installation;
    const state = await stateOnSite(call, this.access, { found, site, needs: 'site:visitor:auth' });
    if (state === 'not_installed') return { state };
    return { state, installation, login: this.addresses.visitorLogin(name, installation, site) };
  }
}

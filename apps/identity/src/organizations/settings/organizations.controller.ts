import {
  createOrganization,
  getOrganizationById,
  listOrganizationsForAuthenticatedUser,
  lookupOrganizations,
  type InputOf,
  type Principal,
} from '@scriptorium/contracts';
import { Controller, Handles, readAfterCreate, withStore, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { checkSettings } from './check-settings.js';
import { createOrganizationWithHostname } from './create-organization.process.js';
import { members } from '../../organization-read-models/index.js';
import { verifiedDomain } from '../email-domains/domain-owner.queries.js';
import { organization } from './organization.js';
import { findOrganizations, getOrganization, listOrganizations } from './organizations.queries.js';

@Controller()
export class OrganizationsController {
  @Handles(listOrganizationsForAuthenticatedUser)
  list({ query }: InputOf<typeof listOrganizationsForAuthenticatedUser>, call: Call) {
    const filter = { ...query, user: call.principal.id, operation: call.operation };
    return call.cached({ of: query }, (scope) => listOrganizations(scope, filter));
  }

  @Handles(createOrganization)
  async create({ query, body }: InputOf<typeof createOrganization>, call: Call) {
    const id = call.idFor('organization');
    const { title, emailDomains = [] } = body;
    const settings = checkSettings({ emailDomains }, call.limits);
    const creator = call.principal.id;
    await this.withinQuota(call, id, async () =>
      createOrganizationWithHostname(withStore(call, call.store.in(id)), {
        id,
        title,
        emailDomains: settings.emailDomains ?? [],
        creator,
        withDefaultSite: query.withDefaultSite,
        domain: await verifiedDomain(call, creator),
      }),
    );
    return readAfterCreate(call, () => getOrganization(call, id, creator));
  }

  @Handles(lookupOrganizations)
  async lookup({ ids }: z.output<(typeof lookupOrganizations)['input']>, call: Call<Principal | null>) {
    return { items: await findOrganizations(call, call.principal, ids) };
  }

  @Handles(getOrganizationById)
  get({ params }: InputOf<typeof getOrganizationById>, call: Call) {
    return call.cached({ of: params }, (scope) => getOrganization(scope, params.organizationId, call.principal.id));
  }

  /** Runs `work` if the user may have one more organization. */
  private withinQuota(call: Call, id: string, work: () => Promise<void>): Promise<void> {
    const { store, quotas, limits } = call;
    const user = call.principal.id;
    const look = async () => ({
      present: await store.read(members).count({ user }, limits.organizationsPerUser),
      more: 1,
    });
    const made = async () => (await store.load(organization, id)).status !== 'absent';
    return quotas.within({ limit: 'organizationsPerUser', of: user, most: 1, look, made }, work);
  }
}

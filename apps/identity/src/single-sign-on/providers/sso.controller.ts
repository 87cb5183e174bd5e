import {
  listSSOLoginsForEmail,
  listSSOProviderLoginsInOrganization,
  setUserAsSSOMemberForOrganization,
  type InputOf,
  type Principal,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { getMember, markForSSO, MemberSources, roster } from '../../organizations/index.js';
import { hasActiveProvider, listLogins } from '../../organization-read-models/index.js';
import { listLoginsForAddress } from './sso.queries.js';

@Controller()
export class SSOController {
  constructor(private readonly sources: MemberSources) {}

  @Handles(listSSOProviderLoginsInOrganization)
  async logins({ params }: InputOf<typeof listSSOProviderLoginsInOrganization>, call: Call) {
    return { items: await listLogins(call, params.organizationId) };
  }

  @Handles(listSSOLoginsForEmail)
  async loginsForAddress({ query }: InputOf<typeof listSSOLoginsForEmail>, call: Call<Principal | null>) {
    return { items: await listLoginsForAddress(call, query.email) };
  }

  @Handles(setUserAsSSOMemberForOrganization)
  async mark({ params }: InputOf<typeof setUserAsSSOMemberForOrganization>, call: Call) {
    const { organizationId: organization, userId: user } = params;
    const available = await hasActiveProvider(call, organization);
    await call.store.handle(roster, organization, (state) =>
      markForSSO(state, { user, by: call.principal.id, available }),
    );
    return getMember(call, this.sources, organization, user);
  }
}

import {
  listSSOLoginsForEmail, listSSOProviderLoginsInOrganization, setUserAsSSOMemberForOrganization, type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, ServiceContext, type Call } from '@scriptorium/platform';
import { LastSeen } from '../members/last-seen.operational.js';
import { getMember } from '../members/members.queries.js';
import { markForSSO, roster } from '../members/roster.js';
import { hasActiveProvider, listLogins, listLoginsForAddress } from './sso.queries.js';

@Controller()
export class SSOController {
  constructor(
    private readonly context: ServiceContext,
    private readonly lastSeen: LastSeen,
  ) {}

  @Handles(listSSOProviderLoginsInOrganization)
  async logins({ params }: InputOf<typeof listSSOProviderLoginsInOrganization>) {
    return { items: await listLogins(this.context, params.organizationId) };
  }

  @Handles(listSSOLoginsForEmail)
  async loginsForAddress({ query }: InputOf<typeof listSSOLoginsForEmail>) {
    return { items: await listLoginsForAddress(this.context, query.email) };
  }

  @Handles(setUserAsSSOMemberForOrganization)
  async mark({ params }: InputOf<typeof setUserAsSSOMemberForOrganization>, call: Call) {
    const { organizationId: organization, userId: user } = params;
    const available = await hasActiveProvider(this.context, organization);
    await this.context.store.handle(roster, organization, this.context.command(call, organization), (state) =>
      markForSSO(state, { user, by: call.principal.id, available }),
    );
    return getMember(this.context, this.lastSeen, organization, user);
  }
}

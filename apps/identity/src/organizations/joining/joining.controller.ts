import {
  AppError,
  blaming,
  getOrganizationsForEmailDomain,
  getSubdomain,
  joinOrganization,
  updateOrganizationMemberLastSeenAt,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { admit } from '../invitations/admit.process.js';
import { checkDomainJoining } from './join-by-domain.js';
import { getDomainJoining, getSubdomainTarget, isActiveMember, listOrganizationsOfDomain } from './joining.queries.js';
import { visitorToken } from './visitor-token.process.js';
import { LastSeen } from '../members/last-seen.operational.js';

/** Lets people join organizations by the domain of their address, and records when members were last seen. */
@Controller()
export class JoiningController {
  constructor(private readonly lastSeen: LastSeen) {}

  @Handles(joinOrganization)
  async join({ params }: InputOf<typeof joinOrganization>, call: Call) {
    const organization = params.organizationId;
    const user = call.principal.id;
    if (await isActiveMember(call, organization, user)) return;
    const { defaultRole: role, ...joining } = await getDomainJoining(call, organization, user);
    checkDomainJoining(joining);
    try {
      await admit(call, organization, [{ user, role, via: 'domain' }]);
    } catch (error) {
      if (error instanceof AppError && error.reason === 'not_found')
        throw blaming('organization_not_found', 'params.organizationId');
      throw error;
    }
  }

  @Handles(getOrganizationsForEmailDomain)
  async ofDomain({ params }: InputOf<typeof getOrganizationsForEmailDomain>, call: Call) {
    return { organizations: await listOrganizationsOfDomain(call, params.emailDomain, call.principal.id) };
  }

  @Handles(getSubdomain)
  subdomain({ params }: InputOf<typeof getSubdomain>, call: Call) {
    return getSubdomainTarget(call, params.subdomain);
  }

  @Handles(updateOrganizationMemberLastSeenAt)
  async ping({ params }: InputOf<typeof updateOrganizationMemberLastSeenAt>, call: Call) {
    await this.lastSeen.record({
      organization: params.organizationId,
      user: call.principal.id,
      now: call.now(),
    });
    const token = await visitorToken(call, params.organizationId);
    return token === undefined ? {} : { serviceVisitorClaims: token, gitbookVisitorClaims: token };
  }
}

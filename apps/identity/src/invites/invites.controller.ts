import { AppError, inviteUsersToOrganization, invalid, limitReached, type InputOf, type MemberRole } from '@scriptorium/contracts';
import type { CommandContext } from '@scriptorium/event-sourcing';
import { Controller, Handles, ServiceContext, type Call } from '@scriptorium/platform';
import { organizations } from '../organizations/organization.projection.js';
import { users } from '../users/user.projection.js';
import { admit } from './admit.process.js';
import { pendingInvites } from './pending-invite.projection.js';
import { remindInvited } from './remind-invited.process.js';
import { sendInvite } from './send-invite.process.js';

interface Invitation {
  email: string;
  role: MemberRole | null;
}

type Body = InputOf<typeof inviteUsersToOrganization>['body'];

@Controller()
export class InvitesController {
  constructor(private readonly context: ServiceContext) {}

  /** Known verified addresses become members now; the others get a pending invitation. */
  @Handles(inviteUsersToOrganization)
  async invite({ params, body }: InputOf<typeof inviteUsersToOrganization>, call: Call) {
    const organization = params.organizationId;
    if (body.sso === true) throw new AppError('sso_unavailable', [{ path: 'body.sso', message: 'No active SAML provider' }]);
    const invitations = await this.invitations(organization, body);
    const known = await this.known(invitations.map(({ email }) => email));
    const unknown = invitations.filter(({ email }) => !known.has(email));
    await this.refuseTooMany(organization, unknown);
    const command = this.context.command(call, organization);
    const invited = invitations.flatMap(({ email, role }) => {
      const user = known.get(email);
      return user === undefined ? [] : [{ user, role }];
    });
    const joined = await admit(this.context, organization, invited, command, call.principal.id);
    await this.send(organization, unknown, command, call);
    return { users: joined, invited: unknown.length };
  }

  /** Writes the invitations side by side and waits once, for the last of them, until they are shown. */
  private async send(organization: string, invitations: readonly Invitation[], command: CommandContext, call: Call): Promise<void> {
    const idOf = (what: string) => this.context.idFor(call, what);
    const sent = await Promise.all(
      invitations.map(({ email, role }) => sendInvite(this.context, { organization, email, role, sso: false }, command, idOf)),
    );
    const last = sent.reduce((a, b) => (b.position > a.position ? b : a), { position: -1n, types: [] as readonly string[] });
    const again = sent.flatMap((one) => one.again ?? []);
    await Promise.all(again.map((id) => remindInvited(this.context, id, call.requestId)));
    await this.context.store.visible(last);
  }

  /** The addresses in lower case with their roles: their own, the request's, or the organization's default. */
  private async invitations(organization: string, body: Body): Promise<Invitation[]> {
    const settings = await this.context.store.collection(organizations).byId(organization);
    const fallback = body.role === undefined ? (settings?.defaultRole ?? null) : body.role;
    const roles = new Map<string, MemberRole | null>();
    for (const entry of body.emails) {
      const { email, role } = typeof entry === 'string' ? { email: entry, role: undefined } : entry;
      const [address, wanted] = [email.toLowerCase(), role === undefined ? fallback : role];
      const other = roles.get(address);
      if (other !== undefined && other !== wanted) throw invalid('body.emails', `${address} is named twice, with different roles`);
      roles.set(address, wanted);
    }
    return [...roles].map(([email, role]) => ({ email, role }));
  }

  private async known(emails: readonly string[]): Promise<Map<string, string>> {
    const found = await this.context.store.collection(users).find({ email: { $in: [...emails] }, emailVerified: true }).toArray();
    return new Map(found.map(({ email, _id }) => [email, _id]));
  }

  private async refuseTooMany(organization: string, unknown: readonly Invitation[]): Promise<void> {
    const limit = this.context.limits.pendingInvitesPerOrganization;
    const invites = this.context.store.collection(pendingInvites);
    const [pending, again] = await Promise.all([
      invites.count({ organization }),
      invites.count({ organization, email: { $in: unknown.map(({ email }) => email) } }),
    ]);
    if (pending - again + unknown.length > limit) throw limitReached('pendingInvitesPerOrganization', limit);
  }
}

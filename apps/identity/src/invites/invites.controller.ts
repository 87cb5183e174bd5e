import {
  AppError, inviteUsersToOrganization, limits, type InputOf, type MemberRole,
} from '@scriptorium/contracts';
import { Controller, Handles, ServiceContext, step, type Call } from '@scriptorium/platform';
import { organizations } from '../organizations/organization.projection.js';
import { users } from '../users/user.projection.js';
import { admit, inviteId } from './admit.js';
import { invite, send } from './invite.js';
import { pendingInvites } from './pending-invite.projection.js';

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
    const joined: string[] = [];
    for (const { email, role } of invitations) {
      const user = known.get(email);
      if (user === undefined) continue;
      const admission = { organization, user, role, invite: this.id(organization, email) };
      if (await admit(this.context, admission, step(command, user))) joined.push(user);
    }
    for (const { email, role } of unknown) {
      await this.context.store.handle(invite, this.id(organization, email), command, (state) =>
        send(state, { organization, email, role, sso: false }),
      );
    }
    return { users: joined, invited: unknown.length };
  }

  /** The addresses in lower case with their roles: their own, the request's, or the organization's default. */
  private async invitations(organization: string, body: Body): Promise<Invitation[]> {
    const settings = await this.context.store.collection(organizations).byId(organization);
    const fallback = body.role === undefined ? (settings?.defaultRole ?? null) : body.role;
    const roles = new Map<string, MemberRole | null>();
    for (const entry of body.emails) {
      const { email, role } = typeof entry === 'string' ? { email: entry, role: undefined } : entry;
      roles.set(email.toLowerCase(), role === undefined ? fallback : role);
    }
    return [...roles].map(([email, role]) => ({ email, role }));
  }

  private async known(emails: readonly string[]): Promise<Map<string, string>> {
    const found = await this.context.store.collection(users).find({ email: { $in: [...emails] }, emailVerified: true }).toArray();
    return new Map(found.map(({ email, _id }) => [email, _id]));
  }

  private async refuseTooMany(organization: string, unknown: readonly Invitation[]): Promise<void> {
    const pending = await this.context.store.collection(pendingInvites).count({ organization });
    const again = await this.context.store.collection(pendingInvites).byIds(unknown.map(({ email }) => this.id(organization, email)));
    if (pending - again.length + unknown.length > limits.pendingInvitesPerOrganization) {
      const message = `At most ${limits.pendingInvitesPerOrganization}`;
      throw new AppError('limit_reached', [{ path: 'pendingInvitesPerOrganization', message }]);
    }
  }

  private id(organization: string, email: string): string {
    return inviteId(this.context, organization, email);
  }
}

import { blaming, inviteUsersToOrganization, invalid, type InputOf, type MemberRole } from '@scriptorium/contracts';
import { isDry, type CommandContext } from '@scriptorium/event-sourcing';
import { Controller, Handles, ServiceContext, type Call, type Demand } from '@scriptorium/platform';
import { memberKey, members } from '../members/member.projection.js';
import { organizations } from '../organizations/organization.projection.js';
import { hasActiveProvider } from '../sso/sso.queries.js';
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
    const { sso = false } = body;
    if (sso && !(await hasActiveProvider(this.context, organization))) throw blaming('sso_unavailable', 'body.sso');
    const invitations = await this.invitations(organization, body);
    const known = await this.known(invitations.map(({ email }) => email));
    const unknown = invitations.filter(({ email }) => !known.has(email));
    const command = this.context.command(call, organization);
    const invited = invitations.flatMap(({ email, role }) => {
      const user = known.get(email);
      return user === undefined ? [] : [{ user, role, sso }];
    });
    const claim = { limit: 'pendingInvitesPerOrganization', of: organization, most: unknown.length, look: () => this.demand(organization, unknown) } as const;
    const joined = await this.context.room.within(claim, async () => {
      const users = await admit(this.context, organization, invited, command, call.principal.id);
      await this.send(organization, unknown.map((invitation) => ({ ...invitation, sso })), command, call);
      return users;
    });
    const failed = sso ? await this.withoutSSO(organization, known) : [];
    return { users: joined, invited: unknown.length, ...(failed.length === 0 ? {} : { failedSSOEmails: failed }) };
  }

  /** Writes the invitations side by side and waits once, for the last of them, until they are shown. */
  private async send(organization: string, invitations: readonly (Invitation & { sso: boolean })[], command: CommandContext, call: Call): Promise<void> {
    const idOf = (what: string) => this.context.idFor(call, what);
    const sent = await Promise.all(
      invitations.map((invitation) => sendInvite(this.context, { organization, ...invitation }, command, idOf)),
    );
    const last = sent.reduce((a, b) => (b.position > a.position ? b : a), { position: -1n, types: [] as readonly string[] });
    // A letter is no event: of a request that is only tried, none is sent.
    const again = isDry() ? [] : sent.flatMap((one) => one.again ?? []);
    await Promise.all(again.map((id) => remindInvited(this.context, id, call.requestId)));
    await this.context.store.shown(last, call.deadline);
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

  /** Addresses of people who were members before, and who do not sign in by single sign-on: an invitation does not change that. */
  private async withoutSSO(organization: string, known: ReadonlyMap<string, string>): Promise<string[]> {
    const docs = await this.context.store.collection(members).byIds([...known.values()].map((user) => memberKey(organization, user)));
    const without = new Set(docs.filter(({ sso }) => !sso).map(({ user }) => user));
    return [...known].flatMap(([email, user]) => (without.has(user) ? [email] : []));
  }

  /** How many invitations are pending, and how many of these would be pending besides. */
  private async demand(organization: string, unknown: readonly Invitation[]): Promise<Demand> {
    const invites = this.context.store.collection(pendingInvites);
    const emails = unknown.map(({ email }) => email);
    const present = await invites.count({ organization });
    // Counted last: what others add meanwhile must not count twice.
    return { present, more: emails.length - (await invites.count({ organization, email: { $in: emails } })) };
  }
}

import { blaming, inviteUsersToOrganization, invalid, type InputOf, type MemberRole } from '@scriptorium/contracts';
import { Controller, Handles, type Call, type Demand } from '@scriptorium/platform';
import { hasActiveProvider, memberKey, members, organizations, users } from '../../organization-read-models/index.js';
import { InvitationPace } from '../../mail/index.js';
import { admit } from './admit.process.js';
import { inParts } from './in-parts.js';
import { pendingInvites } from './pending-invite.projection.js';
import { remindInvited } from './remind-invited.process.js';
import { sendInvite } from './send-invite.process.js';

interface Invitation {
  email: string;
  role: MemberRole | null;
}

/** Invitations that are written at the same time. */
const atOnce = 50;
/** What is left of the time of a request for what was begun last, ms. */
const reserveMs = 4_000;

type Body = InputOf<typeof inviteUsersToOrganization>['body'];

@Controller()
export class InvitesController {
  constructor(private readonly pace: InvitationPace) {}

  /** Owners of verified addresses become members at once. Other addresses get a pending invitation. */
  @Handles(inviteUsersToOrganization)
  async invite({ params, body }: InputOf<typeof inviteUsersToOrganization>, call: Call) {
    const organization = params.organizationId;
    const { sso = false } = body;
    if (sso && !(await hasActiveProvider(call, organization))) throw blaming('sso_unavailable', 'body.sso');
    const invitations = await this.invitations(call, organization, body);
    const known = await this.known(call, organization, invitations);
    const unknown = invitations.filter(({ email }) => !known.has(email));
    const invited = invitations.flatMap(({ email, role }) => {
      const user = known.get(email);
      return user === undefined ? [] : [{ user, role, sso, unaccepted: true as const }];
    });
    const {
      users: joined,
      sent,
      remaining,
      delayed,
    } = await this.withinQuota(call, organization, unknown, async () => {
      const users = await admit(call, organization, invited, call.principal.id);
      return {
        users,
        ...(await this.sendAll(
          organization,
          unknown.map((one) => ({ ...one, sso })),
          call,
        )),
      };
    });
    const failed = sso ? await this.withoutSSO(call, organization, known) : [];
    return {
      users: joined,
      invited: sent,
      ...(delayed === 0 ? {} : { delayed }),
      ...(remaining.length === 0 ? {} : { remaining: remaining.map(({ email }) => email) }),
      ...(failed.length === 0 ? {} : { failedSSOEmails: failed }),
    };
  }

  /** Does work that adds pending invitations within their limit. */
  private withinQuota<T>(
    call: Call,
    organization: string,
    unknown: readonly Invitation[],
    work: () => Promise<T>,
  ): Promise<T> {
    const look = () => this.demand(call, organization, unknown);
    const limit = 'pendingInvitesPerOrganization' as const;
    return call.quotas.within({ limit, of: organization, most: unknown.length, look }, work);
  }

  /** Sends invitations as long as there is time: how many, whose mails have to wait, and those that are left. */
  private async sendAll(organization: string, invitations: readonly (Invitation & { sso: boolean })[], call: Call) {
    const inviting = { by: call.principal.id, organization };
    const delayed = await this.pace.countDelayed(call, inviting, invitations.length);
    const end = (call.store.context.deadline ?? Infinity) - reserveMs;
    const { done, left } = await inParts(invitations, {
      size: atOnce,
      isOver: () => call.now() > end,
      work: (part) => this.send(organization, part, call),
    });
    return { sent: done, remaining: left, delayed: Math.max(0, delayed - left.length) };
  }

  /** Writes the invitations concurrently, and waits once until all of them are shown. */
  private async send(
    organization: string,
    invitations: readonly (Invitation & { sso: boolean })[],
    call: Call,
  ): Promise<void> {
    const sent = await Promise.all(
      invitations.map((invitation) => sendInvite(call, { organization, ...invitation }, call.idFor)),
    );
    const last = sent.reduce((a, b) => (b.position > a.position ? b : a), {
      position: -1n,
      types: [] as readonly string[],
    });
    // A mail is not an event, so a dry run does not suppress it by itself.
    const reminded = call.store.dry ? [] : sent.flatMap((one) => one.alreadyPending ?? []);
    await Promise.all(reminded.map((id) => remindInvited(call, id, { by: call.principal.id, organization })));
    await call.store.shown(last);
  }

  /**
   * The addresses in lower case with their roles: the role of the entry, of the request, or the default role of the
   * organization.
   */
  private async invitations(call: Call, organization: string, body: Body): Promise<Invitation[]> {
    const settings = await call.store.read(organizations).byId(organization);
    const fallback = body.role === undefined ? (settings?.defaultRole ?? null) : body.role;
    const roles = new Map<string, MemberRole | null>();
    for (const entry of body.emails) {
      const { email, role } = typeof entry === 'string' ? { email: entry, role: undefined } : entry;
      const [address, wanted] = [email.toLowerCase(), role === undefined ? fallback : role];
      const other = roles.get(address);
      if (other !== undefined && other !== wanted)
        throw invalid('body.emails', `${address} is listed twice with different roles`);
      roles.set(address, wanted);
    }
    return [...roles].map(([email, role]) => ({ email, role }));
  }

  /**
   * The users who own these addresses, by address. In a dry run only members are found: it leaves no trace, and would
   * otherwise reveal whether an address has an account.
   */
  private async known(
    call: Call,
    organization: string,
    invitations: readonly Invitation[],
  ): Promise<Map<string, string>> {
    const found = await call.store
      .read(users)
      .find({
        email: { $in: invitations.map(({ email }) => email) },
        emailVerified: true,
        ...(call.store.dry ? { organizations: organization } : {}),
      })
      .toArray();
    return new Map(found.map(({ email, _id }) => [email, _id]));
  }

  /** Addresses of earlier members who do not use single sign-on. An invitation does not change that. */
  private async withoutSSO(call: Call, organization: string, known: ReadonlyMap<string, string>): Promise<string[]> {
    const docs = await call.store.read(members).byIds([...known.values()].map((user) => memberKey(organization, user)));
    const without = new Set(docs.filter(({ sso }) => !sso).map(({ user }) => user));
    return [...known].flatMap(([email, user]) => (without.has(user) ? [email] : []));
  }

  /** How many invitations are pending, and how many of the given addresses would be added. */
  private async demand(call: Call, organization: string, unknown: readonly Invitation[]): Promise<Demand> {
    const invites = call.store.read(pendingInvites);
    const emails = unknown.map(({ email }) => email);
    const present = await invites.count({ organization });
    // Counted last, so that invitations that others add at the same time are not counted twice.
    return { present, more: emails.length - (await invites.count({ organization, email: { $in: emails } })) };
  }
}

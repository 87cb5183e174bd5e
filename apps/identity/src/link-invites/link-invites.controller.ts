import {
  blaming, createOrganizationInvite, deleteOrganizationInviteById, getOrganizationInviteById, joinOrganizationWithInvite,
  listOrganizationInviteLinks, updateOrganizationInviteById, type InputOf,
} from '@scriptorium/contracts';
import type { CommandContext } from '@scriptorium/event-sourcing';
import { Controller, Handles, ServiceContext, base62, justMade, newId, type Call } from '@scriptorium/platform';
import { admit } from '../invites/admit.process.js';
import { changeLink, createLink, deleteLink, linkInvites } from './link-invites.js';
import { getLinkInvite, getOffer, listLinkInvites } from './link-invites.queries.js';

@Controller()
export class LinkInvitesController {
  constructor(private readonly context: ServiceContext) {}

  @Handles(listOrganizationInviteLinks)
  list({ params, query }: InputOf<typeof listOrganizationInviteLinks>, call: Call) {
    const { operation, principal } = call;
    return listLinkInvites(this.context, { ...query, organization: params.organizationId, user: principal.id, operation });
  }

  @Handles(createOrganizationInvite)
  async create({ params, body }: InputOf<typeof createOrganizationInvite>, call: Call) {
    const organization = params.organizationId;
    // Content tells of the spaces and collections that there are; none that is known to this organization exists yet.
    if (!('role' in body)) {
      const name = 'space' in body ? 'space' : 'collection';
      throw blaming('not_found', `body.${name}`, `No such ${name} in the organization`);
    }
    const command = this.context.command(call, organization);
    const limit = this.context.limits.linkInvitesPerOrganization;
    const invite = this.secretId(organization, command);
    const done = await this.context.store.handle(linkInvites, organization, command, (state) =>
      createLink(state, { invite, role: body.role, limit }),
    );
    const made = done.events.flatMap((event) => (event.type === 'LinkInviteCreated' ? [event.data.invite] : []))[0] ?? invite;
    return justMade(this.context, () => getLinkInvite(this.context, organization, made, call.principal.id));
  }

  @Handles(getOrganizationInviteById)
  get({ params }: InputOf<typeof getOrganizationInviteById>, call: Call) {
    return getLinkInvite(this.context, params.organizationId, params.inviteId, call.principal.id);
  }

  @Handles(updateOrganizationInviteById)
  async change({ params, body }: InputOf<typeof updateOrganizationInviteById>, call: Call) {
    const { organizationId: organization, inviteId: invite } = params;
    const { role } = body;
    if (role !== undefined) {
      await this.context.store.handle(linkInvites, organization, this.context.command(call, organization), (state) =>
        changeLink(state, { invite, role }),
      );
    }
    return getLinkInvite(this.context, organization, invite, call.principal.id);
  }

  @Handles(deleteOrganizationInviteById)
  async remove({ params }: InputOf<typeof deleteOrganizationInviteById>, call: Call) {
    const { organizationId: organization, inviteId: invite } = params;
    const { events } = await this.context.store.handle(linkInvites, organization, this.context.command(call, organization), (state) =>
      deleteLink(state, { invite }),
    );
    return events.length > 0;
  }

  @Handles(joinOrganizationWithInvite)
  async join({ params }: InputOf<typeof joinOrganizationWithInvite>, call: Call) {
    const organization = params.organizationId;
    const { role } = await getOffer(this.context, organization, params.inviteId);
    const user = call.principal.id;
    await admit(this.context, organization, [{ user, role, via: 'link' }], this.context.command(call, organization));
    return {};
  }

  /**
   * An id that nobody can guess, since whoever knows it can join: that of a repeated request is keyed, where others derive
   * from what the client chose.
   */
  private secretId(organization: string, { idem }: CommandContext): string {
    if (idem === undefined) return newId();
    return `l${base62(this.context.keys.digest('link invite', organization, idem).subarray(0, 16), 19)}`;
  }
}

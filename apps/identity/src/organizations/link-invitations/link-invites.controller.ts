import {
  blaming,
  createOrganizationInvite,
  deleteOrganizationInviteById,
  getOrganizationInviteById,
  joinOrganizationWithInvite,
  listOrganizationInviteLinks,
  updateOrganizationInviteById,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, base62, readAfterCreate, newId, type Call } from '@scriptorium/platform';
import { admit } from '../invitations/admit.process.js';
import { changeLink, createLink, deleteLink, linkInvites } from './link-invites.js';
import { getLinkInvite, getLinkRole, listLinkInvites } from './link-invites.queries.js';

@Controller()
export class LinkInvitesController {
  @Handles(listOrganizationInviteLinks)
  list({ params, query }: InputOf<typeof listOrganizationInviteLinks>, call: Call) {
    const { operation, principal } = call;
    return listLinkInvites(call, {
      ...query,
      organization: params.organizationId,
      user: principal.id,
      operation,
    });
  }

  @Handles(createOrganizationInvite)
  async create({ params, body }: InputOf<typeof createOrganizationInvite>, call: Call) {
    const organization = params.organizationId;
    // The events of the content service are not consumed yet, so no space or collection is known here.
    if (!('role' in body)) {
      const name = 'space' in body ? 'space' : 'collection';
      throw blaming('not_found', `body.${name}`, `No such ${name} in the organization`);
    }
    const limit = call.limits.linkInvitesPerOrganization;
    const invite = this.unguessableId(call, organization);
    const done = await call.store.handle(linkInvites, organization, (state) =>
      createLink(state, { invite, role: body.role, limit }),
    );
    const made =
      done.events.flatMap((event) => (event.type === 'LinkInviteCreated' ? [event.data.invite] : []))[0] ?? invite;
    return readAfterCreate(call, () => getLinkInvite(call, organization, made, call.principal.id));
  }

  @Handles(getOrganizationInviteById)
  get({ params }: InputOf<typeof getOrganizationInviteById>, call: Call) {
    return getLinkInvite(call, params.organizationId, params.inviteId, call.principal.id);
  }

  @Handles(updateOrganizationInviteById)
  async change({ params, body }: InputOf<typeof updateOrganizationInviteById>, call: Call) {
    const { organizationId: organization, inviteId: invite } = params;
    const { role } = body;
    if (role !== undefined) {
      await call.store.handle(linkInvites, organization, (state) => changeLink(state, { invite, role }));
    }
    return getLinkInvite(call, organization, invite, call.principal.id);
  }

  @Handles(deleteOrganizationInviteById)
  async remove({ params }: InputOf<typeof deleteOrganizationInviteById>, call: Call) {
    const { organizationId: organization, inviteId: invite } = params;
    const { events } = await call.store.handle(linkInvites, organization, (state) => deleteLink(state, { invite }));
    return events.length > 0;
  }

  @Handles(joinOrganizationWithInvite)
  async join({ params }: InputOf<typeof joinOrganizationWithInvite>, call: Call) {
    const organization = params.organizationId;
    const { role } = await getLinkRole(call, organization, params.inviteId);
    const user = call.principal.id;
    await admit(call, organization, [{ user, role, via: 'link' }]);
    return {};
  }

  /**
   * An id that cannot be guessed, since it allows to join. The id of a repeated request is a keyed hash, and not
   * derived from what the client sent.
   */
  private unguessableId(call: Call, organization: string): string {
    const { idem } = call.store.context;
    if (idem === undefined) return newId();
    return `l${base62(call.keys.digest('link invite', organization, idem).subarray(0, 16), 19)}`;
  }
}

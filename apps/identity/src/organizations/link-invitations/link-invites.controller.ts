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
import { ContentNodes } from '../spaces/content-nodes.queries.js';
import { changeLevel, changeRole, createLink, deleteLink, linkInvites } from './link-invites.js';
import { getLinkInvite, getTerms, listLinkInvites } from './link-invites.queries.js';
import { readLinkTerms, refuseHigherLevel } from './link-terms.process.js';
import { useLink } from './use-link.process.js';

@Controller()
export class LinkInvitesController {
  constructor(private readonly nodes: ContentNodes) {}

  @Handles(listOrganizationInviteLinks)
  list({ params, query }: InputOf<typeof listOrganizationInviteLinks>, call: Call) {
    const { operation, principal } = call;
    return listLinkInvites(call, this.nodes, {
      ...query,
      organization: params.organizationId,
      user: principal.id,
      operation,
    });
  }

  @Handles(createOrganizationInvite)
  async create({ params, body }: InputOf<typeof createOrganizationInvite>, call: Call) {
    const organization = params.organizationId;
    const terms = await readLinkTerms(call, this.nodes, organization, body);
    const limit = call.limits.linkInvitesPerOrganization;
    const invite = this.unguessableId(call, organization);
    const done = await call.store.handle(linkInvites, organization, (state) =>
      createLink(state, { invite, terms, limit }),
    );
    const made =
      done.events.flatMap((event) =>
        event.type === 'LinkInviteCreated' || event.type === 'ContentLinkInviteCreated' ? [event.data.invite] : [],
      )[0] ?? invite;
    return readAfterCreate(call, () => this.show(call, organization, made));
  }

  @Handles(getOrganizationInviteById)
  get({ params }: InputOf<typeof getOrganizationInviteById>, call: Call) {
    return this.show(call, params.organizationId, params.inviteId);
  }

  @Handles(updateOrganizationInviteById)
  async change({ params, body }: InputOf<typeof updateOrganizationInviteById>, call: Call) {
    const { organizationId: organization, inviteId: invite } = params;
    const { role, level } = body;
    const terms = await getTerms(call, organization, invite);
    if ('role' in terms && level !== undefined)
      throw blaming('invalid_request', 'body.level', 'It is a link to the organization, which has a role');
    if ('level' in terms && role !== undefined)
      throw blaming('invalid_request', 'body.role', 'It is a link to a space or collection, which has a level');
    if (role !== undefined)
      await call.store.handle(linkInvites, organization, (state) => changeRole(state, { invite, role }));
    if ('level' in terms && level !== undefined) {
      await refuseHigherLevel(call, this.nodes, { organization, level, to: terms.to });
      await call.store.handle(linkInvites, organization, (state) => changeLevel(state, { invite, level }));
    }
    return this.show(call, organization, invite);
  }

  @Handles(deleteOrganizationInviteById)
  async remove({ params }: InputOf<typeof deleteOrganizationInviteById>, call: Call) {
    const { organizationId: organization, inviteId: invite } = params;
    const { events } = await call.store.handle(linkInvites, organization, (state) => deleteLink(state, { invite }));
    return events.length > 0;
  }

  @Handles(joinOrganizationWithInvite)
  async join({ params }: InputOf<typeof joinOrganizationWithInvite>, call: Call) {
    const { organizationId: organization, inviteId: invite } = params;
    await useLink(call, this.nodes, { organization, invite, user: call.principal.id });
    return {};
  }

  private show(call: Call, organization: string, id: string) {
    return getLinkInvite(call, this.nodes, { organization, id, user: call.principal.id });
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

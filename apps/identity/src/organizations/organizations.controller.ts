import {
  createOrganization, deleteOrganizationById, getOrganizationById, listOrganizationsForAuthenticatedUser,
  updateOrganizationById, type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, ServiceContext, justMade, type Call } from '@scriptorium/platform';
import { checkMergeRules } from './check-merge-rules.queries.js';
import { checkSettings } from './check-settings.js';
import { deleteOrganization } from './delete-organization.process.js';
import { foundOrganization } from './found-organization.process.js';
import { changeSettings } from './change-settings.process.js';
import { members } from '../members/member.projection.js';
import { close, roster } from '../members/roster.js';
import { teamMembers } from '../teams/team-member.projection.js';
import { samlProviders } from '../sso/saml-provider.projection.js';
import { enforce, sso } from '../sso/sso.js';
import { organization } from './organization.js';
import { organizations } from './organization.projection.js';
import { getOrganization, listOrganizations } from './organizations.queries.js';

/** What organizations are shown from. */
const shown = [organizations, members, teamMembers, samlProviders];

@Controller()
export class OrganizationsController {
  constructor(private readonly context: ServiceContext) {}

  @Handles(listOrganizationsForAuthenticatedUser)
  list({ query }: InputOf<typeof listOrganizationsForAuthenticatedUser>, call: Call) {
    const filter = { ...query, user: call.principal.id, operation: call.operation };
    return this.context.rendered([call.operation, filter], shown, () => listOrganizations(this.context, filter));
  }

  @Handles(createOrganization)
  async create({ body }: InputOf<typeof createOrganization>, call: Call) {
    const id = this.context.idFor(call, 'organization');
    const { title, emailDomains = [] } = body;
    const settings = checkSettings({ emailDomains }, this.context.limits);
    const creator = call.principal.id;
    await this.whereThereIsRoom(creator, id, () =>
      foundOrganization(this.context, { id, title, emailDomains: settings.emailDomains ?? [], creator }, this.context.command(call, id)),
    );
    return justMade(this.context, () => getOrganization(this.context, id, creator));
  }

  @Handles(getOrganizationById)
  get({ params }: InputOf<typeof getOrganizationById>, call: Call) {
    const { id } = call.principal;
    return this.context.rendered([call.operation, params, id], shown, () => getOrganization(this.context, params.organizationId, id));
  }

  @Handles(updateOrganizationById)
  async update({ params, body }: InputOf<typeof updateOrganizationById>, call: Call) {
    const id = params.organizationId;
    const { sso: enforced } = body;
    // Looked at before anything is changed: all settings or none.
    if (enforced === true) enforce(await this.context.store.load(sso, id), { on: true });
    const change = checkSettings(body, this.context.limits);
    await checkMergeRules(this.context, id, change.mergeRules ?? []);
    const command = this.context.command(call, id);
    await changeSettings(this.context, id, change, command);
    if (enforced !== undefined) await this.context.store.handle(sso, id, command, (state) => enforce(state, { on: enforced }));
    return getOrganization(this.context, id, call.principal.id);
  }

  /** The closed roster ends everybody's access; what the rest cannot do now, the reactor does. */
  @Handles(deleteOrganizationById)
  async remove({ params }: InputOf<typeof deleteOrganizationById>, call: Call) {
    const id = params.organizationId;
    const command = this.context.command(call, id);
    const { events } = await this.context.store.handle(roster, id, command, (state) => close(state, { by: call.principal.id }));
    try {
      await deleteOrganization(this.context, id, command);
    } catch (error) {
      this.context.logger.warn({ err: error, requestId: call.requestId }, 'the deletion of an organization is left to the reactor');
    }
    return events.length > 0;
  }

  /** For one more organization of the user. */
  private whereThereIsRoom(user: string, id: string, work: () => Promise<void>): Promise<void> {
    const { store, room, limits } = this.context;
    const look = async () => ({ present: await store.collection(members).count({ user }, limits.organizationsPerUser), more: 1 });
    const made = async () => (await store.load(organization, id)).status !== 'absent';
    return room.within({ limit: 'organizationsPerUser', of: user, most: 1, look, made }, work);
  }
}

import {
  createOrganization, deleteOrganizationById, getOrganizationById, limitReached, listOrganizationsForAuthenticatedUser,
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
import { enforce, sso } from '../sso/sso.js';
import { organizations } from './organization.projection.js';
import { getOrganization, listOrganizations } from './organizations.queries.js';

/** What organizations are shown from. */
const shown = [organizations, members, teamMembers];

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
    await this.refuseOneMore(call.principal.id);
    const id = this.context.idFor(call, 'organization');
    const { title, emailDomains = [] } = body;
    const settings = checkSettings({ emailDomains }, this.context.limits);
    await foundOrganization(
      this.context,
      { id, title, emailDomains: settings.emailDomains ?? [], creator: call.principal.id },
      this.context.command(call, id),
    );
    return justMade(() => getOrganization(this.context, id, call.principal.id));
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

  private async refuseOneMore(user: string): Promise<void> {
    const limit = this.context.limits.organizationsPerUser;
    const count = await this.context.store.collection(members).count({ user }, limit);
    if (count >= limit) throw limitReached('organizationsPerUser', limit);
  }
}

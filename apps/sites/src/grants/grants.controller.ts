import { ServiceAccess, levelPage } from '@scriptorium/access';
import {
  AppError,
  inviteToSite,
  listPermissionsAggregateInSite,
  listTeamPermissionsInSite,
  listUserPermissionsInSite,
  removeTeamFromSite,
  removeUserFromSite,
  updateTeamPermissionInSite,
  updateUserPermissionInSite,
  type InputOf,
} from '@scriptorium/contracts';
import type { Decide } from '@scriptorium/event-sourcing';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { type SiteEvent, levelsOf, requireSite, site, type SiteParams, type SiteState } from '../model/index.js';
import { give, regive, takeBack, type Holder } from './grants.js';
import { listTeamGrants, listUserGrants } from './grants.queries.js';
import { originsOf } from './origins.queries.js';
import { presentStays, requireHolders } from './holders.queries.js';

interface Params {
  organizationId: string;
  siteId: string;
}

@Controller()
export class SiteGrantsController {
  constructor(private readonly access: ServiceAccess) {}

  @Handles(listUserPermissionsInSite)
  async listUsers({ params, query }: InputOf<typeof listUserPermissionsInSite>, call: Call) {
    return listUserGrants(call, await this.granting(call, params), { ...query, operation: call.operation });
  }

  @Handles(listTeamPermissionsInSite)
  async listTeams({ params, query }: InputOf<typeof listTeamPermissionsInSite>, call: Call) {
    return listTeamGrants(call, await this.granting(call, params), { ...query, operation: call.operation });
  }

  @Handles(listPermissionsAggregateInSite)
  async aggregate({ params, query }: InputOf<typeof listPermissionsAggregateInSite>, call: Call) {
    const granting = await this.granting(call, params);
    const chain = [levelsOf(granting.grants)];
    const page = await levelPage(call, { ...granting, chain }, { ...query, operation: call.operation });
    const users = page.items.map(({ user }) => user.id);
    const origins = await originsOf(call, granting, users);
    const byDefault = { type: 'organization', organization: granting.organization } as const;
    return { ...page, items: page.items.map((one) => ({ ...one, origin: origins.get(one.user.id) ?? byDefault })) };
  }

  @Handles(inviteToSite)
  async invite({ params, body }: InputOf<typeof inviteToSite>, call: Call) {
    const holders = await requireHolders(call, params.organizationId, body);
    const { grantsPerSite: limit } = call.limits;
    await this.handle(call, params, (state) => give(state, { holders, level: body.role, limit }));
  }

  @Handles(updateUserPermissionInSite)
  async updateUser({ params, body }: InputOf<typeof updateUserPermissionInSite>, call: Call) {
    const holder = await this.member(call, params, params.userId);
    if (holder === null) throw new AppError('not_found');
    await this.handle(call, params, (state) => regive(state, holder, body.role));
  }

  @Handles(removeUserFromSite)
  async removeUser({ params }: InputOf<typeof removeUserFromSite>, call: Call) {
    const holder = await this.member(call, params, params.userId);
    return holder !== null && this.handle(call, params, (state) => takeBack(state, holder));
  }

  @Handles(updateTeamPermissionInSite)
  async updateTeam({ params, body }: InputOf<typeof updateTeamPermissionInSite>, call: Call) {
    await this.handle(call, params, (state) => regive(state, { team: params.teamId }, body.role));
  }

  @Handles(removeTeamFromSite)
  async removeTeam({ params }: InputOf<typeof removeTeamFromSite>, call: Call) {
    return this.handle(call, params, (state) => takeBack(state, { team: params.teamId }));
  }

  private async granting(call: Call, params: SiteParams) {
    const { site: doc } = await requireSite(call, this.access, call.principal, params);
    return { id: doc._id, organization: doc.organization, grants: doc.grants };
  }

  /** A member in their present stay; `null` for who is no member. */
  private async member(call: Call, { organizationId }: Params, user: string): Promise<Holder | null> {
    const membership = (await presentStays(call, organizationId, [user])).get(user);
    return membership === undefined ? null : { user, membership };
  }

  private async handle({ store }: Call, { siteId }: Params, decide: Decide<SiteState, SiteEvent>): Promise<boolean> {
    const { events } = await store.within({ site: siteId }).handle(site, siteId, decide);
    return events.length > 0;
  }
}

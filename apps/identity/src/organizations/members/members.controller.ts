import {
  getMemberInOrganizationById,
  listMembersInOrganizationById,
  lookupMembers,
  updateMemberInOrganizationById,
  type InputOf,
  type Principal,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { MemberSources } from './member-sources.queries.js';
import { lookupMembers as findMembers } from './lookup-members.queries.js';
import { getMember, listMembers } from './members.queries.js';
import { changeRole, setDisabled } from '../roster/memberships.js';
import { roster } from '../roster/roster.js';

@Controller()
export class MembersController {
  constructor(private readonly sources: MemberSources) {}

  @Handles(listMembersInOrganizationById)
  async list({ params, query }: InputOf<typeof listMembersInOrganizationById>, call: Call) {
    const filter = { ...query, organization: params.organizationId, operation: call.operation };
    const seen = await this.sources.lastSeen.latest(params.organizationId);
    return call.cached({ of: [params, query, seen], forAll: true }, (scope) =>
      listMembers(scope, this.sources, filter),
    );
  }

  @Handles(getMemberInOrganizationById)
  async get({ params }: InputOf<typeof getMemberInOrganizationById>, call: Call) {
    const seen = await this.sources.lastSeen.latest(params.organizationId);
    return call.cached({ of: [params, seen], forAll: true }, (scope) =>
      getMember(scope, this.sources, params.organizationId, params.userId),
    );
  }

  @Handles(lookupMembers)
  lookup({ ids }: z.output<(typeof lookupMembers)['input']>, call: Call<Principal | null>) {
    return findMembers(call, this.sources, call.principal, ids);
  }

  @Handles(updateMemberInOrganizationById)
  async update({ params, body }: InputOf<typeof updateMemberInOrganizationById>, call: Call) {
    const { organizationId: organization, userId: user } = params;
    const { role, disabled } = body;
    const by = call.principal.id;
    if (role !== undefined || disabled !== undefined)
      await call.store.handle(roster, organization, (state) => [
        ...(role === undefined ? [] : changeRole(state, { user, role, by })),
        ...(disabled === undefined ? [] : setDisabled(state, { user, disabled, by })),
      ]);
    return getMember(call, this.sources, organization, user);
  }
}

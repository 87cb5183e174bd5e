import { ServiceAccess, levelPage } from '@scriptorium/access';
import type { InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { requireNode } from '../nodes/index.js';
import { grantTo, regrant, removeGrant, type Changing } from './change-grants.process.js';
import type { GrantingKind, GrantOperations } from './granting-kind.js';
import { listTeamGrants, listUserGrants } from './grants.queries.js';

type Input<O extends keyof GrantOperations> = InputOf<GrantOperations[O]>;
type GrantsController = new (access: ServiceAccess) => object;

/** Controllers of what spaces, or collections, grant to users and teams. */
export function grantControllers(granting: GrantingKind): GrantsController[] {
  return [readingController(granting), changingController(granting)];
}

function readingController({ operations }: GrantingKind): GrantsController {
  @Controller()
  class GrantReadsController {
    constructor(private readonly access: ServiceAccess) {}

    @Handles(operations.listUsers)
    async listUsers({ params, query }: Input<'listUsers'>, call: Call) {
      const node = await requireNode(call, this.access, call.principal, nodeIn(params));
      return listUserGrants(call, node, { ...query, operation: call.operation });
    }

    @Handles(operations.listTeams)
    async listTeams({ params, query }: Input<'listTeams'>, call: Call) {
      const node = await requireNode(call, this.access, call.principal, nodeIn(params));
      return listTeamGrants(call, node, { ...query, operation: call.operation });
    }

    @Handles(operations.aggregate)
    async aggregate({ params, query }: Input<'aggregate'>, call: Call) {
      return call.cached({ of: [params, query] }, async (scope) => {
        const node = await requireNode(scope, this.access, call.principal, nodeIn(params));
        return levelPage(scope, node, { ...query, operation: call.operation });
      });
    }
  }
  return GrantReadsController;
}

function changingController(granting: GrantingKind): GrantsController {
  const { operations } = granting;

  @Controller()
  class GrantChangesController {
    constructor(private readonly access: ServiceAccess) {}

    @Handles(operations.invite)
    async invite({ params, body }: Input<'invite'>, call: Call) {
      await grantTo(call, await changing(call, granting, this.access, params), body);
    }

    @Handles(operations.updateUser)
    async updateUser({ params, body }: Input<'updateUser'>, call: Call) {
      const { userId: user } = params;
      await regrant(call, await changing(call, granting, this.access, params), { user }, body.role);
    }

    @Handles(operations.removeUser)
    async removeUser({ params }: Input<'removeUser'>, call: Call) {
      return removeGrant(call, await changing(call, granting, this.access, params), { user: params.userId });
    }

    @Handles(operations.updateTeam)
    async updateTeam({ params, body }: Input<'updateTeam'>, call: Call) {
      const { teamId: team } = params;
      await regrant(call, await changing(call, granting, this.access, params), { team }, body.role);
    }

    @Handles(operations.removeTeam)
    async removeTeam({ params }: Input<'removeTeam'>, call: Call) {
      return removeGrant(call, await changing(call, granting, this.access, params), { team: params.teamId });
    }
  }
  return GrantChangesController;
}

type NodeParams = { spaceId: string } | { collectionId: string };

function nodeIn(params: NodeParams): string {
  return 'spaceId' in params ? params.spaceId : params.collectionId;
}

async function changing(
  call: Call,
  granting: GrantingKind,
  access: ServiceAccess,
  params: NodeParams,
): Promise<Changing> {
  const node = await requireNode(call, access, call.principal, nodeIn(params));
  return { granting, node, viewer: await access.viewerWithTeamsAt(call, node.place) };
}

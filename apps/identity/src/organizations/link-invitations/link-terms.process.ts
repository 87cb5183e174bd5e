import {
  blaming,
  lacksLevel,
  rankOfRole,
  roleAtLeast,
  type createOrganizationInvite,
  type InputOf,
  type MemberRole,
} from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import type { ContentNode, ContentNodes } from '../spaces/content-nodes.queries.js';
import type { LinkTerms } from './link-invites.js';

type Body = InputOf<typeof createOrganizationInvite>['body'];

/**
 * What a new link gives. Admins create links to the organization; links to a space or collection need the level
 * `create` there, and give at most the level of whoever creates them.
 * @throws AppError `forbidden`, or `not_found` for what the caller may not view
 */
export async function readLinkTerms(
  call: Call,
  nodes: ContentNodes,
  organization: string,
  body: Body,
): Promise<LinkTerms> {
  if ('role' in body) {
    if (call.access.role !== 'admin') throw lacksLevel('admin', 'organization');
    return { role: body.role };
  }
  const to: ContentNode =
    'space' in body ? { kind: 'space', id: body.space } : { kind: 'collection', id: body.collection };
  const own = await levelOn(call, nodes, organization, to);
  if (own === null) throw blaming('not_found', `body.${to.kind}`, `No such ${to.kind} in the organization`);
  if (!roleAtLeast(own, 'create')) throw lacksLevel('create', to.kind, `body.${to.kind}`);
  refuseAbove(own, body.level);
  return { level: body.level, to };
}

/** A link gives at most the level of the person who changes it. @throws AppError `forbidden` */
export async function refuseHigherLevel(
  call: Call,
  nodes: ContentNodes,
  { organization, level, to }: { organization: string; level: MemberRole | null; to: ContentNode },
): Promise<void> {
  refuseAbove(await levelOn(call, nodes, organization, to), level);
}

function refuseAbove(own: MemberRole | null, level: MemberRole | null): void {
  if (rankOfRole(level) > rankOfRole(own)) throw blaming('forbidden', 'body.level', 'The level is above your own');
}

async function levelOn(
  call: Call,
  nodes: ContentNodes,
  organization: string,
  to: ContentNode,
): Promise<MemberRole | null> {
  const levels = await nodes.levelsOn(call, organization, call.principal.id, [to]);
  return levels.get(to.id) ?? null;
}

import type { Rig } from './rig.js';

/**
 * Callers of operations on spaces. `granted` and `teamed` are guests of the organization, to whom and to whose team a
 * spec grants something. The operator is no member.
 */
export const spaceCallers = [
  'anonymous',
  'stranger',
  'removed',
  'operator',
  'guest',
  'granted',
  'teamed',
  'read',
  'comment',
  'edit',
  'review',
  'create',
  'admin',
] as const;
export type SpaceCaller = (typeof spaceCallers)[number];

/** These callers of one organization. */
export interface SpaceCallers {
  tokens: Readonly<Record<SpaceCaller, string | null>>;
  /** The id of the guest to whom something can be granted. */
  granted: string;
  /** The id of a team whose only member is a guest. */
  team: string;
}

const withoutRole: readonly SpaceCaller[] = ['guest', 'granted', 'teamed'];

/** Creates the callers in the organization of a rig. */
export async function createSpaceCallers(rig: Rig): Promise<SpaceCallers> {
  const org = `/orgs/${rig.organization}`;
  const tokens = { anonymous: null } as Record<SpaceCaller, string | null>;
  const ids: Partial<Record<SpaceCaller, string>> = {};
  for (const caller of spaceCallers.slice(spaceCallers.indexOf('guest'))) {
    const person = await rig.member(`The ${caller}`, withoutRole.includes(caller) ? null : caller);
    tokens[caller] = person.token;
    ids[caller] = person.id;
  }
  const { granted = '', teamed = '' } = ids;
  const team = await rig.send('PUT', `${org}/teams`, { body: { title: 'Creators', members: [teamed] } });
  tokens.stranger = (await rig.person('Stran Ger')).token;
  tokens.removed = await createRemoved(rig, org);
  tokens.operator = await createOperator(rig);
  return { tokens, granted, team: String(team.body['id']) };
}

async function createRemoved(rig: Rig, org: string): Promise<string> {
  const { id, token } = await rig.member('Re Moved', 'admin');
  await rig.send('DELETE', `${org}/members/${id}`);
  return token;
}

async function createOperator(rig: Rig): Promise<string> {
  const body = { email: rig.email('Op'), displayName: 'Op', emailVerified: true, operator: true };
  const operator = await rig.send('POST', '/users', { body });
  const token = await rig.send('POST', `/users/${String(operator.body['id'])}/tokens`, { body: { label: 'x' } });
  return String(token.body['token']);
}

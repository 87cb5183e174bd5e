import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { limitingFields, operationList, type Operation } from '@scriptorium/contracts';
import * as z from 'zod';
import { startRig, type Json, type Rig } from './test/rig.js';

let rig: Rig;
beforeAll(async () => void (rig = await startRig()));
afterAll(() => rig.stop());
afterEach(() => void (rig.stub.calls.length = 0));

/** A value of each field that limits access. */
const limits: Record<string, unknown> = {
  active: false,
  agentsContext: 'excluded',
  condition: 'visitor.claims.plan == "paid"',
  defaultLevel: null,
  defaultRole: null,
  disabled: true,
  editMode: 'locked',
  expiresAt: '2030-01-01T00:00:00.000Z',
  hidden: true,
  inviteLinks: false,
  level: null,
  noIndex: true,
  noRobotsIndex: true,
  password: 'velvet-otter-lamp-91',
  role: null,
  scopes: [],
  sso: true,
  visibility: 'private',
};

/** Where the API takes these fields. An operation that is not here refuses all of them. */
const taken: Record<string, string[]> = {
  active: ['updateSiteShareLinkById'],
  agentsContext: ['updateSiteById'],
  condition: [
    ...['changeSpaceContent', 'changeContentInChangeRequest', 'updateSiteSpaceById', 'updateSiteSectionById'],
    ...['overrideSiteSpaceCustomizationById', 'updateSiteCustomizationById'],
  ],
  defaultLevel: ['updateSpaceById', 'updateCollectionById'],
  defaultRole: ['updateOrganizationById', 'createOrganizationSAMLProvider', 'updateOrganizationSAMLProvider'],
  disabled: ['updateMemberInOrganizationById'],
  editMode: ['createSpace', 'updateSpaceById'],
  expiresAt: ['createOrganizationSCIMToken', 'createTokenForUser', 'createUserToken'],
  hidden: ['changeSpaceContent', 'changeContentInChangeRequest', 'updateSiteSpaceById'],
  inviteLinks: ['updateOrganizationById'],
  level: ['createOrganizationInvite', 'updateOrganizationInviteById'],
  noIndex: ['changeSpaceContent', 'changeContentInChangeRequest'],
  noRobotsIndex: ['changeSpaceContent', 'changeContentInChangeRequest'],
  password: ['changePassword', 'signIn', 'createUser'],
  role: [
    ...['createOrganizationInvite', 'updateOrganizationInviteById', 'inviteUsersToOrganization'],
    ...['updateMemberInOrganizationById', 'addMemberToOrganizationTeamById', 'updateMembersInOrganizationTeam'],
    ...['inviteToSpace', 'updateTeamPermissionInSpace', 'updateUserPermissionInSpace'],
    ...['inviteToCollection', 'updateTeamPermissionInCollection', 'updateUserPermissionInCollection'],
    ...['inviteToSite', 'updateTeamPermissionInSite', 'updateUserPermissionInSite'],
    // Who said a part of a conversation.
    'ingestConversation',
  ],
  scopes: ['createTokenForUser', 'createUserToken', 'publishIntegration'],
  sso: ['updateOrganizationById', 'inviteUsersToOrganization'],
  visibility: ['updateOpenAPISpecBySlug', 'createSite', 'updateSiteById', 'publishIntegration'],
};

interface Schema {
  properties?: Record<string, Schema>;
  [name: string]: unknown;
}

/** The names of the fields of a schema, at any depth. */
function namesIn(schema: unknown, found = new Set<string>(), seen = new Set<unknown>()): Set<string> {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return found;
  seen.add(schema);
  for (const name of Object.keys((schema as Schema).properties ?? {})) found.add(name);
  for (const part of Object.values(schema)) namesIn(part, found, seen);
  return found;
}

const writes = operationList.filter(({ body, consumes }) => body !== undefined && consumes === 'application/json');
const bodyOf = ({ body }: Operation) => z.toJSONSchema(body as z.ZodType, { io: 'input', unrepresentable: 'any' });
const pathOf = ({ path }: Operation) => `/v1${path.replace(/\{\w+\}/g, 'x')}`;
const pathsOf = (json: Json) => json.error.details.map(({ path }) => path);

describe('a field that limits access', () => {
  it('has a value here that limits', () => {
    expect(Object.keys(limits).sort()).toEqual([...limitingFields.keys()].sort());
    for (const [name, value] of Object.entries(limits))
      expect([name, limitingFields.get(name)?.(value)]).toEqual([name, true]);
  });

  it('is taken by these operations alone', () => {
    const found = Object.fromEntries(
      Object.keys(limits).map((name) => [
        name,
        writes.filter((op) => namesIn(bodyOf(op)).has(name)).map(({ id }) => id),
      ]),
    );
    expect(found).toEqual(taken);
  });

  const asked = writes.filter(({ access }) => access.tokens.length === 0 || access.tokens.includes('personal'));
  it.each(asked.map((op) => [op.id, op] as const))(
    'is refused where it is not taken, in every mode: %s',
    async (_, op) => {
      const own = namesIn(bodyOf(op));
      const others = Object.entries(limits).filter(([name]) => !own.has(name));
      const call = { body: Object.fromEntries(others), token: op.access.tokens.length === 0 ? null : rig.issue() };
      const { status, json, headers } = await rig.call(op.method, pathOf(op), call);
      // What the operation needs is missing in most of these bodies, and is named as well.
      const isWhole = json.error.details.length === others.length;
      expect([status, json.error.reason]).toEqual(isWhole ? [422, 'field_not_taken'] : [400, 'invalid_request']);
      expect(pathsOf(json)).toEqual(expect.arrayContaining(others.map(([name]) => `body.${name}`)));
      expect(headers.get('scriptorium-ignored')).toBeNull();
      const strict = await rig.call(op.method, pathOf(op), { ...call, headers: { prefer: 'handling=strict' } });
      expect([strict.status, strict.json.error.reason]).toEqual([400, 'invalid_request']);
      expect(rig.stub.calls).toEqual([]);
    },
  );

  const content = '/v1/spaces/s/content';
  const group = { operation: 'insert_group', title: 'A' };
  const link = { operation: 'insert_link', title: 'A', target: { kind: 'url', url: 'https://example.org' } };

  it('is refused inside of what is changed, and the others are told', async () => {
    const changes = [
      { ...group, noIndex: true, colour: 1 },
      { ...link, visibility: 'private' },
    ];
    const { status, json, headers } = await rig.call('POST', content, { body: { changes } });
    expect([status, json.error.reason, pathsOf(json), headers.get('scriptorium-ignored'), rig.stub.calls]).toEqual([
      422,
      'field_not_taken',
      ['body.changes[0].noIndex', 'body.changes[1].visibility'],
      'body.changes[0].colour',
      [],
    ]);
    expect(json.error.message).toBe(
      'body.changes[0].noIndex: Is no field of this object, and limits access: nothing was done without it (and 1 more)',
    );
  });

  it('is ignored as long as it limits nothing', async () => {
    const changes = [
      { ...group, noIndex: false, visibility: 'public', disabled: false, active: true, expiresAt: null },
    ];
    const { status, headers } = await rig.call('POST', content, { body: { changes } });
    expect([status, headers.get('scriptorium-ignored')?.split(', ')]).toEqual([
      200,
      ['noIndex', 'visibility', 'disabled', 'active', 'expiresAt'].map((name) => `body.changes[0].${name}`),
    ]);
  });

  it('reaches its operation where it is taken', async () => {
    const condition = 'visitor.claims.plan == "paid"';
    for (const change of [group, link]) {
      const { status, headers } = await rig.call('POST', content, { body: { changes: [{ ...change, condition }] } });
      expect([status, headers.get('scriptorium-ignored')]).toEqual([200, null]);
    }
    const body = { disabled: true };
    expect((await rig.call('PATCH', '/v1/orgs/o/members/m', { body })).status).toBe(200);
    const sent = rig.stub.calls.map((call) => (JSON.parse(Buffer.from(call.body).toString()) as Json)['body']);
    expect(sent).toEqual([
      { changes: [{ ...group, condition }] },
      { changes: [{ ...link, condition }] },
      { disabled: true },
    ]);
  });
});

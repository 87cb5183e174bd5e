import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { integrationScopes, operationList, type Operation } from '@scriptorium/contracts';
import { eventually } from '@scriptorium/testing';
import { createPeople, integrationToken, type IntegrationRig } from '../test/integration-rig.js';
import { startRig } from '../test/rig.js';

/*
 * What tokens of integrations and installations may do with every operation of the API. What is expected follows from
 * the rules of the contracts: which of them list the relations `integration` and `installation`, and with which scope.
 */
const withToken = operationList.filter(({ access }) => access.tokens.length > 0);
const lists = ({ access }: Operation, kind: 'integration' | 'installation') => access.allow.includes(kind);
const isGated = ({ access }: Operation) => access.integrationScope !== undefined;
/** A service that needs this one, so that it is not in these rigs: its own specs use such tokens. */
const usedElsewhere = 'conversations';
/** An operation on a space or site, which an installation has to reach. */
const isOnTarget = ({ path }: Operation) => /\{(spaceId|siteId)\}/.test(path);

/** The operations that are open to installations, by scope. Everything else refuses them. */
const opened: Readonly<Record<string, number>> = {
  'space:content:read': 38,
  'space:content:write': 3,
  'space:metadata:read': 1,
  'space:metadata:write': 1,
  'site:metadata:read': 6,
  'site:adaptive:read': 1,
  'site:adaptive:write': 1,
  'openapi:read': 2,
  'openapi:write': 4,
  'conversations:ingest': 2,
};

const document = { type: 'document', openapi: '3.1.0', info: { title: 'A', version: '1' }, paths: {} };
const source = { text: JSON.stringify(document) };
const page = { operation: 'insert_page', title: 'By a script', document: { markdown: 'Hello' } };
const computed = { type: 'builtin:openapi', dependencies: { spec: { ref: { kind: 'file', file: 'x' } } } };
const bodies: Readonly<Record<string, object>> = {
  applyTemplateToSpace: { id: 'x' },
  getComputedRevision: { source: computed },
  getComputedDocument: { source: { ...computed, props: { doc: 'models' } } },
  changeSpaceContent: { changes: [page] },
  changeContentInChangeRequest: { changes: [page] },
  createOpenAPISpec: { slug: 'made', source },
  createOrUpdateOpenAPISpecBySlug: { source },
  updateSiteAdaptiveSchema: { jsonSchema: { type: 'object', properties: {} } },
};

/** What the writes answer that have everything which they name. */
const succeeding: Readonly<Record<string, number>> = {
  changeSpaceContent: 200,
  createOpenAPISpec: 201,
  createOrUpdateOpenAPISpecBySlug: 200,
  deleteOpenAPISpecBySlug: 205,
  updateIntegrationInstallation: 200,
  updateIntegrationSiteInstallation: 200,
  updateIntegrationSpaceInstallation: 200,
  updateSiteAdaptiveSchema: 200,
  updateSpaceById: 200,
};

let world: IntegrationRig;
let ids: Record<string, string>;
let installations: Record<'all' | 'none' | 'outside', { name: string; path: string; token: string }>;
const ended: Record<string, string> = {};
let integration: string;

async function install(scopes: readonly string[], selects: boolean) {
  const name = await world.publish({ scopes });
  const path = await world.install(name);
  if (selects) {
    await world.done('POST', `${path}/spaces`, { space: ids['spaceId'] });
    await world.done('POST', `${path}/sites`, { siteId: ids['siteId'] });
  }
  const own = await integrationToken(world.rig, name);
  const { body } = await world.rig.send('POST', `${path}/tokens`, { token: own });
  return { name, path, token: String(body['token']) };
}

/** The status with which an operation answers. `own`: the installation that its path names. */
async function statusOf(op: Operation, token: string, own = installations.all): Promise<number> {
  const named = {
    ...ids,
    integrationName: own.name,
    installationId: own.path.split('/').at(-1) ?? '',
    specSlug: 'made',
  };
  const path = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => named[name as keyof typeof named] ?? 'x');
  const query = op.id === 'searchSpaceContent' ? '?query=hello' : '';
  const body = op.body === undefined ? undefined : (bodies[op.id] ?? {});
  const { status } = await world.rig.send(op.method, `${path}${query}`, { token, ...(body && { body }) });
  return status;
}

/** The operations that do not answer with this status. */
async function others(ops: readonly Operation[], status: number, token: string): Promise<string[]> {
  const found: string[] = [];
  for (const op of ops) {
    const answered = await statusOf(op, token);
    if (answered !== status) found.push(`${op.id} ${answered}`);
  }
  return found;
}

beforeAll(async () => {
  world = await createPeople(await startRig({ alone: true }));
  const made = await world.done('POST', `${world.org}/spaces`, { title: 'In', editMode: 'live', empty: true });
  ids = { organizationId: world.rig.organization, spaceId: String(made['id']), siteId: await world.site('In') };
  installations = {
    all: await install(integrationScopes, true),
    none: await install([], true),
    outside: await install(integrationScopes, false),
  };
  integration = await integrationToken(world.rig, installations.all.name);
  const endings = {
    paused: (path: string) => world.send('POST', `${path}/pause`),
    uninstalled: (path: string) => world.send('DELETE', path),
    raised: (path: string) => world.send('POST', `${path}/signing/rotate`),
  };
  for (const [name, end] of Object.entries(endings)) {
    const { path, token } = await install(integrationScopes, true);
    await end(path);
    await eventually(async () => (await world.rig.send('GET', path, { token })).status === 401, 1_000);
    ended[name] = token;
  }
  const [head = '', claims = ''] = installations.all.token.split('.');
  ended['forged'] = `${head}.${claims}.${'A'.repeat(43)}`;
}, 120_000);
afterAll(() => world.rig.stop());

describe('tokens of integrations', () => {
  it('can be used for few operations', () => {
    const counts: Record<string, number> = {};
    for (const { access } of withToken.filter((op) => lists(op, 'installation') && isGated(op)))
      counts[access.integrationScope ?? ''] = (counts[access.integrationScope ?? ''] ?? 0) + 1;
    expect(counts).toEqual(opened);
  });

  it('are refused by every operation that does not list them', async () => {
    const closedTo = (kind: 'integration' | 'installation') => withToken.filter((op) => !lists(op, kind));
    expect(await others(closedTo('integration'), 403, integration)).toEqual([]);
    expect(await others(closedTo('installation'), 403, installations.all.token)).toEqual([]);
  }, 120_000);

  it.each(['paused', 'uninstalled', 'raised', 'forged'])(
    'are refused everywhere when they are %s',
    async (name) => {
      expect(await others(withToken, 401, ended[name] ?? '')).toEqual([]);
    },
    120_000,
  );

  it('are refused without the scope that an operation asks for', async () => {
    const gated = withToken.filter((op) => lists(op, 'installation') && isGated(op));
    expect(await others(gated, 403, installations.none.token)).toEqual([]);
  }, 60_000);

  it('find no space and no site that the installation does not reach', async () => {
    const targeted = withToken.filter((op) => lists(op, 'installation') && isGated(op) && isOnTarget(op));
    expect(await others(targeted, 404, installations.outside.token)).toEqual([]);
  }, 60_000);

  const here = withToken.filter((op) => lists(op, 'installation') && op.service !== usedElsewhere);
  it.each(here.map((op) => [op.id, op] as const))('of an installation can be used for %s', async (_id, op) => {
    const status = await statusOf(op, installations.all.token);
    expect([400, 401, 403, 429, 500, 503]).not.toContain(status);
    if (op.id in succeeding) expect(status).toBe(succeeding[op.id]);
    // What the path names beside the space or site is not there.
    const isWhole = [...op.path.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => name in ids || /^in/.test(name));
    if (isWhole && op.method === 'GET' && op.id !== 'getSiteAdaptiveSchema') expect(status).toBe(200);
  });

  it.each(withToken.filter((op) => lists(op, 'integration')).map((op) => [op.id, op] as const))(
    'of the integration can be used for %s, of its own installations',
    async (_id, op) => {
      expect(await statusOf(op, integration)).toBe(200);
      expect(await statusOf(op, integration, installations.none)).toBe(404);
    },
  );
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { integrationChanges, integrationScopes, operationList, type Operation } from '@scriptorium/contracts';
import { announce, eventually } from '@scriptorium/testing';
import { inFull } from '@scriptorium/toolchain/proof';
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
  'space:content:read': 40,
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
  queueIntegrationTask: { task: {} },
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
let installations: Record<'all' | 'none' | 'outside', { name: string; path: string; token: string; event: string }>;
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
  const events = `/integrations/${name}/events`;
  await eventually(async () => (await world.done('GET', events)).items.length > 0);
  const [first] = (await world.done('GET', events)).items;
  return { name, path, token: String(body['token']), event: String(first?.['id']) };
}

/** The status with which an operation answers. `own`: the installation that its path names. */
async function statusOf(op: Operation, token: string, own = installations.all): Promise<number> {
  const named = {
    ...ids,
    integrationName: own.name,
    installationId: own.path.split('/').at(-1) ?? '',
    specSlug: 'made',
    eventId: own.event,
  };
  const path = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => named[name as keyof typeof named] ?? 'x');
  const query = op.id === 'searchSpaceContent' ? '?query=hello' : '';
  const body = op.body === undefined ? undefined : (bodies[op.id] ?? {});
  const { status } = await world.rig.send(op.method, `${path}${query}`, { token, ...(body && { body }) });
  return status;
}

const sideBySide = 8;

/** The operations that do not answer with this status. */
async function others(ops: readonly Operation[], status: number, token: string): Promise<string[]> {
  const found: string[] = [];
  const left = [...ops];
  const ask = async (): Promise<void> => {
    for (let op = left.shift(); op !== undefined; op = left.shift()) {
      const answered = await statusOf(op, token);
      if (answered !== status) found.push(`${op.id} ${answered}`);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, ask));
  return found.sort();
}

const endings = ['paused', 'uninstalled', 'raised', 'forged'] as const;
/** Each operation is asked with one of the tokens that have ended; a full proof asks with all of them. */
const askedWith = (ending: (typeof endings)[number]): Operation[] =>
  withToken.filter((_op, at) => inFull || endings[at % endings.length] === ending);

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
  const ends = {
    paused: (path: string) => world.send('POST', `${path}/pause`),
    uninstalled: (path: string) => world.send('DELETE', path),
    raised: (path: string) => world.send('POST', `${path}/signing/rotate`),
  };
  for (const [name, end] of Object.entries(ends)) {
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

  it.each(endings)(
    'are refused everywhere when they are %s',
    async (name) => {
      expect(await others(askedWith(name), 401, ended[name] ?? '')).toEqual([]);
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
      expect(await statusOf(op, integration)).toBe(op.status);
      expect(await statusOf(op, integration, installations.none)).toBe(404);
    },
  );

  it('show of events what was delivered to the installation itself', async () => {
    const { name, path, token, event } = installations.all;
    const organization = String((await world.done('POST', '/orgs', { title: 'Other' }))['id']);
    await world.publish({ scopes: integrationScopes, visibility: 'public' }, name);
    const second = await world.done('POST', `/integrations/${name}/installations`, { organization });
    const events = `/integrations/${name}/events`;
    const own = path.split('/').at(-1);
    const seen = async (by: string) => {
      const { body } = await world.rig.send('GET', `${events}?limit=1000`, { token: by });
      // A task is of no installation.
      return [...new Set(body.items.flatMap(({ installationId }) => installationId ?? []))].sort();
    };
    await eventually(async () => (await seen(integration)).length === 2);
    expect(await seen(integration)).toEqual([own, second['id']].sort());
    expect(await seen(token)).toEqual([own]);
    const { items } = await world.done('GET', `${events}?limit=1000`);
    const foreign = items.find(({ installationId }) => installationId === second['id']);
    const status = async (id: string) => (await world.rig.send('GET', `${events}/${id}`, { token })).status;
    expect([await status(event), await status(String(foreign?.['id']))]).toEqual([200, 404]);
  }, 60_000);

  // What is announced here never comes, so nothing can be asked for after it.
  it('are answered 503 where a service is more than two seconds behind what integrations has recorded', async () => {
    const space = `/spaces/${ids['spaceId']}`;
    const asked = () => world.rig.send('GET', space, { token: installations.all.token });
    expect((await asked()).status).toBe(200);
    const recorded = { 'integrations.installation': '9000000000000000' };
    await announce(world.rig.config, integrationChanges, { epoch: 'spec', sequence: 1, users: [], recorded });
    await eventually(async () => (await asked()).status === 503, 10_000);
    expect(await asked()).toMatchObject({ status: 503, body: { error: { reason: 'unavailable' } } });
    expect((await world.send('GET', space)).status).toBe(200);
  }, 60_000);
});

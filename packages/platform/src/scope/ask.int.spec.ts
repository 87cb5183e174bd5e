import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AppError,
  internalOperation,
  operatorOperations,
  wireHeader,
  type Principal,
  type Service,
} from '@scriptorium/contracts';
import { defineAggregate, defineEvents, projection, type EventOf } from '@scriptorium/event-sourcing';
import * as z from 'zod';
import type { App } from '../process/admin.js';
import { parseConfig, serviceSettings } from '../process/config.js';
import { Controller } from '@nestjs/common';
import { createLogger } from '../observability/logging.js';
import { createRegistry } from '../observability/metrics.js';
import { defineDomain, defineService, type Domain } from '../service/domain.js';
import { startService } from '../service/service.js';
import type { ServiceContext } from '../service/service-context.js';
import { startServers, type Servers } from '../test/servers.js';
import { ask } from './ask.js';
import { Handles, type Call } from '../handlers/handles.js';
import { signPrincipal } from '../tokens/signed-principal.js';

/**
 * The service that makes tools, and the one that orders them. No service of the product has these names, so no
 * operations of a contract are missing here.
 */
const names: string[] = ['maker', 'shop'];
const [maker, shop] = names as [Service, Service];

const toolEvents = defineEvents({ ToolMade: z.object({ name: z.string() }) });
type ToolEvent = EventOf<typeof toolEvents>;
const tool = defineAggregate({
  service: maker,
  entity: 'tool',
  events: toolEvents,
  initial: { name: '' },
  evolve: (_: { name: string }, { data }: ToolEvent) => ({ name: data.name }),
});

const makeTool = internalOperation({
  id: 'makeTool',
  service: maker,
  input: z.object({ name: z.string() }),
  response: z.object({ id: z.string(), actor: z.string(), dry: z.boolean() }),
});
const orderTool = internalOperation({
  id: 'orderTool',
  service: shop,
  input: z.object({ name: z.string() }),
  response: z.object({ id: z.string(), actor: z.string(), dry: z.boolean(), known: z.boolean() }),
});

@Controller()
class Maker {
  @Handles(makeTool)
  async make({ name }: { name: string }, call: Call<Principal | null>) {
    if (name === '') throw new AppError('invalid_request', [{ path: 'name', message: 'Must not be empty' }]);
    const id = call.idFor('tool');
    await call.store.handle(tool, id, (): ToolEvent[] => [{ type: 'ToolMade', data: { name } }]);
    return { id, actor: call.store.context.actor.id, dry: call.store.dry };
  }
}

/** Tools of the other service, as this one sees them. */
const knownTools = projection({
  name: 'known_tool',
  version: 1,
  entities: [`${maker}.tool`],
  events: [toolEvents],
  id: (event) => event.entityId,
  evolve: (_: { name: string } | null, { data }) => ({ name: data.name }),
});

@Controller()
class Shop {
  @Handles(orderTool)
  async order({ name }: { name: string }, call: Call<Principal | null>) {
    const made = await ask(call, makeTool, { name });
    return { ...made, known: (await call.store.read(knownTools).byId(made.id)) !== null };
  }
}

let servers: Servers;
let apps: App[] = [];
let context: ServiceContext;

async function start(service: Service, domain: Pick<Domain, 'controllers' | 'projections'>): Promise<App> {
  const config = parseConfig(serviceSettings, servers.environment);
  const only = defineDomain({
    name: 'only',
    ...domain,
    objects(parts) {
      context = parts.context;
      return [];
    },
    resolvers: () => ({
      installation: () =>
        Promise.resolve({ parentVisible: true, exists: true, relations: new Set(['operator'] as const) }),
    }),
  });
  const definition = defineService({ service, operator: operatorOperations(service, 'Spec'), domains: [only] });
  return startService(definition, config, { logger: createLogger('spec', config), registry: createRegistry() });
}

beforeAll(async () => {
  servers = await startServers();
  apps = [
    await start(maker, { controllers: [Maker] }),
    await start(shop, { controllers: [Shop], projections: [knownTools] }),
  ];
});
afterAll(async () => {
  for (const app of apps) await app.stop();
  await servers.stop();
});

const ann: Principal = { kind: 'user', id: 'ann', token: { id: 't', kind: 'personal' }, operator: false };

async function order(name: string, headers: Record<string, string> = {}) {
  const reply = await context.messaging.client().request({
    service: shop,
    operation: orderTool.id,
    body: Buffer.from(JSON.stringify({ name })),
    timeoutMs: 5_000,
    headers: {
      [wireHeader.requestId]: 'r',
      [wireHeader.principal]: signPrincipal(context.keys, ann, Date.now()),
      ...headers,
    },
  });
  return { body: orderTool.response.parse(JSON.parse(Buffer.from(reply.body).toString())), headers: reply.headers };
}

describe('a service that asks another one', () => {
  it('acts for the same caller, sees what the other recorded, and tells it in its own reply', async () => {
    const { body, headers } = await order('hammer');
    expect(body).toMatchObject({ actor: 'ann', dry: false, known: true });
    expect(headers[wireHeader.types]).toMatch(/^ToolMade=\d+$/);
    expect(headers[wireHeader.position]).toBe(headers[wireHeader.types]?.split('=')[1]);
  });

  it('passes the idempotency key on, so that a repeated request changes nothing', async () => {
    const keyed = { [wireHeader.idempotencyKey]: 'once' };
    const [first, second] = [await order('saw', keyed), await order('saw', keyed)];
    expect(second).toEqual(first);
    expect((await order('saw')).body.id).not.toBe(first.body.id);
  });

  it('passes a dry run on', async () => {
    const { body, headers } = await order('axe', { [wireHeader.dryRun]: 'true' });
    expect(body).toMatchObject({ dry: true, known: false });
    expect(headers).toEqual({});
  });

  it('refuses as the other one does', async () => {
    await expect(order('')).rejects.toMatchObject({ reason: 'invalid_request', details: [{ path: 'name' }] });
  });

  it('answers `unavailable` when the other one is not there', async () => {
    const nobody = internalOperation({ ...makeTool, service: 'nobody' as string as Service });
    const scope = context.scope(
      context.store.scope({ actor: { kind: 'system', id: 's' }, organization: null, operation: 'o', correlation: 'c' }),
    );
    await expect(ask(scope, nobody, { name: 'rake' })).rejects.toMatchObject({ reason: 'unavailable' });
  });
});

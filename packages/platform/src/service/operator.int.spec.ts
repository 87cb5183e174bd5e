import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { wireHeader, type Operation, type Principal } from '@scriptorium/contracts';
import { signPrincipal } from '../tokens/signed-principal.js';
import type { App } from '../process/admin.js';
import { parseConfig, serviceSettings } from '../process/config.js';
import { createLogger } from '../observability/logging.js';
import { createRegistry } from '../observability/metrics.js';
import { startService } from './service.js';
import type { ServiceContext } from './service-context.js';
import { eventually, startServers, type Servers } from '../test/servers.js';
import { operator, reminding, specService, type Watch } from '../test/thing.js';

interface Listed {
  items: { id?: string; name?: string }[];
  count: number;
  next?: { page: string };
}

let servers: Servers;
let app: App;
const registry = createRegistry();
let context: ServiceContext;
const watch: Watch = { stopped: false };
beforeAll(async () => {
  servers = await startServers();
  const config = parseConfig(serviceSettings, servers.environment);
  app = await startService(specService(watch), config, {
    logger: createLogger('spec', config),
    registry,
  });
  if (watch.context === undefined) throw new Error('the service was not assembled');
  context = watch.context;
});
afterAll(async () => {
  await app.stop();
  await servers.stop();
});

async function ask(op: Operation, input: object, timeoutMs = 10_000): Promise<unknown> {
  const principal: Principal = { kind: 'user', id: 'u', token: { id: 't', kind: 'personal' }, operator: true };
  const { body } = await context.messaging.client().request({
    service: op.service,
    operation: op.id,
    body: Buffer.from(JSON.stringify({ params: {}, query: {}, ...input })),
    timeoutMs,
    headers: {
      [wireHeader.principal]: signPrincipal(context.keys, principal, Date.now()),
      [wireHeader.requestId]: 'r',
    },
  });
  return body.length === 0 ? undefined : JSON.parse(Buffer.from(body).toString());
}

const list = async (op: Operation, query: object): Promise<Listed> =>
  (await ask(op, { query: { limit: 50, ...query } })) as Listed;

/** Every item of a list, page by page. */
async function walk(op: Operation, limit: number): Promise<Listed['items']> {
  const items: Listed['items'] = [];
  for (let page: string | undefined, more = true; more;) {
    const { items: some, next } = await list(op, { limit, ...(page === undefined ? {} : { page }) });
    expect(some.length).toBeLessThanOrEqual(limit);
    items.push(...some);
    page = next?.page;
    more = page !== undefined;
  }
  return items;
}

describe('the lists for operators', () => {
  it('show consumers in pages, by name', async () => {
    const { items, count, next } = await list(operator.consumers, {});
    expect([next, count]).toEqual([undefined, items.length]);
    expect(items.map(({ name }) => name)).toEqual([
      'maintenance',
      'reactor_runs_v1',
      'reactor_scheduler_v1',
      'reservation_open_v2',
      'thing_v1',
      'timers',
    ]);
    expect((await walk(operator.consumers, 2)).map(({ name }) => name)).toEqual(items.map(({ name }) => name));
  });

  it('show timers in pages by time, also those of the same moment', async () => {
    const at = Date.now() + 3_600_000;
    for (const id of ['e', 'b', 'd', 'a', 'c']) {
      await context.store.timers.schedule({
        id,
        at: id < 'd' ? at : at - 1,
        command: 'remind',
        data: {},
        organization: null,
        correlation: 'r',
      });
    }
    expect((await walk(operator.timers, 2)).map(({ id }) => id)).toEqual(['d', 'e', 'a', 'b', 'c']);
    expect(await list(operator.timers, { limit: 0 })).toEqual({ items: [], count: 5 });
  });

  it('show parked events in pages, oldest first', async () => {
    const doc = (n: number) => ({
      _id: `r:${n}`,
      consumer: 'r',
      stream: 's',
      eventId: String(n),
      eventType: 'X',
      revision: n,
      position: n,
      error: 'e',
      attempts: 1,
      waiting: false,
      retry: false,
      parkedAt: `2024-01-01T00:00:0${n % 2}.000Z`,
    });
    await context.store.database.collection<{ _id: string }>('op_parked').insertMany([1, 2, 3, 4, 5].map(doc));
    expect((await walk(operator.parked, 2)).map(({ id }) => id)).toEqual(['r:2', 'r:4', 'r:1', 'r:3', 'r:5']);
  });

  it('stand beside metrics that count the same', async () => {
    const page = await registry.metrics();
    const value = (series: string) => Number(new RegExp(`^scriptorium_${series} (.*)$`, 'm').exec(page)?.[1]);
    const states = (name: string, of: readonly string[]) =>
      of.map((state) => value(`${name}\\{service="\\w+",state="${state}"\\}`));
    expect(states('timers', ['waiting', 'late', 'parked'])).toEqual([5, 0, 0]);
    expect(value('parked_events\\{service="\\w+"\\}')).toBe(5);
    expect(states('projections', ['building', 'stopped', 'unknown'])).toEqual([0, 0, 0]);
    expect(states('projections', ['live'])[0]).toBeGreaterThan(0);
  });

  it('show runs in pages, oldest first, and let operators cancel one', async () => {
    const request = (id: string) =>
      context.store
        .scope({ actor: { kind: 'user', id: 'u' }, organization: 'o', operation: 'spec', correlation: 'r' })
        .requestRun(reminding, { id, input: { things: ['a', 'b'] } });
    await request('r-1');
    await eventually(async () => (await context.store.runs.find('r-1'))?.status === 'done');
    let go = (): void => undefined;
    const wait = new Promise<void>((resolve) => (go = resolve));
    watch.stepping = () => wait;
    await request('r-2');
    await request('r-3');
    expect((await walk(operator.runs, 1)).map(({ id }) => id)).toEqual(['r-1', 'r-2', 'r-3']);
    expect(await list(operator.runs, { open: false })).toMatchObject({
      items: [
        {
          object: 'run',
          id: 'r-1',
          kind: 'reminding',
          status: 'done',
          progress: { done: 2, total: 2 },
          requestedBy: 'u',
          organization: 'o',
        },
      ],
      count: 1,
    });
    await ask(operator.cancelRun, { params: { runId: 'r-2' } });
    await expect(ask(operator.cancelRun, { params: { runId: 'unknown' } })).rejects.toMatchObject({
      reason: 'not_found',
    });
    go();
    await eventually(async () => (await list(operator.runs, { open: true })).count === 0);
    const byId = new Map((await walk(operator.runs, 10)).map((run) => [run.id, run]));
    expect([byId.get('r-2'), byId.get('r-3')]).toMatchObject([{ status: 'cancelled' }, { status: 'done' }]);
  });

  it('refuse the cursor of another list', async () => {
    const { next } = await list(operator.timers, { limit: 1 });
    await expect(list(operator.parked, { page: next?.page })).rejects.toMatchObject({ reason: 'invalid_request' });
  });
});

describe('a rebuild by an operator', () => {
  it('returns both hashes, and stops when its time is over', async () => {
    const params = { projection: 'thing_v1' };
    expect(await ask(operator.rebuild, { params })).toMatchObject({
      object: 'rebuild',
      projection: 'thing_v1',
      equal: true,
    });
    await expect(ask(operator.rebuild, { params }, 450)).rejects.toMatchObject({ reason: 'unavailable' });
    expect(await ask(operator.rebuild, { params })).toMatchObject({ equal: true });
    await expect(ask(operator.rebuild, { params: { projection: 'other_v1' } })).rejects.toMatchObject({
      reason: 'not_found',
    });
  });
});

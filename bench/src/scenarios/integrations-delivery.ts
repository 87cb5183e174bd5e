import { setTimeout as pause } from 'node:timers/promises';
import { openLoop } from '../load/open-loop.js';
import { percentile } from '../load/statistics.js';
import type { Seed } from '../product/seed.js';
import type { Context, Figure, Scenario } from './scenario.js';

const name = 'integrations-delivery';
const installationCount = 100;
const perSecond = 50;
const seconds = 10;
const goals = { p50: 50, p99: 250 };
const deliveredWithinMs = 60_000;
const lookEveryMs = 200;
const script = 'export default { async fetch() { return new Response("OK"); } };';

/** A change of an installation: when it was recorded, as far as the client knows. */
interface Change {
  installation: string;
  at: number;
}

/** From the answer to a change of an installation to the call of the script that is told of it. */
export const integrationsDelivery: Scenario = {
  name,
  summary: 'Time from a recorded event to the call of the script, 50 events a second for 100 installations',
  async run(context: Context): Promise<Figure[]> {
    const { seed } = await context.product();
    const integrationName = `told-${Date.now()}`;
    const installations = await installEverywhere(seed, integrationName);
    const before = await settled(seed, integrationName);
    const changes: Change[] = [];
    await openLoop(perSecond, seconds, async (index) => {
      const installation = installations[index % installations.length] ?? '';
      const params = { integrationName, installationId: installation };
      await seed.client.updateIntegrationInstallation({ params, body: { configuration: { key: `${index}` } } });
      changes.push({ installation, at: Date.now() });
    });
    const events = (await settled(seed, integrationName)).filter((id) => !before.includes(id));
    const times = await timesOf(seed, integrationName, { changes, events });
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    const common = { scenario: name, unit: 'ms', note: `${times.length} events` };
    return [
      { ...common, what: 'p50 until a script is called', value: p50, goal: `<= ${goals.p50}`, met: p50 <= goals.p50 },
      { ...common, what: 'p99 until a script is called', value: p99, goal: `<= ${goals.p99}`, met: p99 <= goals.p99 },
    ];
  },
};

/** An organization has an integration once, so each installation has an organization. */
async function installEverywhere({ client, organization }: Seed, integrationName: string): Promise<string[]> {
  const texts = { title: 'Told', description: 'Is told of everything', visibility: 'public' } as const;
  const configurations = { account: { properties: { key: { type: 'string' } } } } as const;
  const body = { ...texts, configurations, scopes: [], script, organization };
  await client.publishIntegration({ params: { integrationName }, body });
  const ids: string[] = [];
  for (let n = 0; n < installationCount; n += 1) {
    const { id } = await client.createOrganization({ body: { title: `Told ${n}` } });
    const installed = await client.installIntegration({ params: { integrationName }, body: { organization: id } });
    ids.push(installed.id);
  }
  return ids;
}

/** The ids of all events of an integration, the newest first, as soon as none waits. */
async function settled({ client }: Seed, integrationName: string): Promise<string[]> {
  const params = { integrationName };
  for (const until = performance.now() + deliveredWithinMs; ; await pause(lookEveryMs)) {
    const waiting = await client.listIntegrationEvents({ params, query: { status: 'queued', limit: 1 } });
    if (waiting.items.length === 0) break;
    if (performance.now() > until) throw new Error('Events were not delivered in time');
  }
  const ids: string[] = [];
  for (let page: string | undefined; ;) {
    const query = { limit: 1000, ...(page === undefined ? {} : { page }) };
    const { items, next } = await client.listIntegrationEvents({ params, query });
    ids.push(...items.map(({ id }) => id));
    page = next?.page;
    if (page === undefined) return ids;
  }
}

/** The changes of an installation and its events have the same order. */
async function timesOf(
  { client }: Seed,
  integrationName: string,
  { changes, events }: { changes: readonly Change[]; events: readonly string[] },
): Promise<number[]> {
  const left = new Map<string, number[]>();
  for (const { installation, at } of changes) left.set(installation, [...(left.get(installation) ?? []), at]);
  const times: number[] = [];
  for (const eventId of events.toReversed()) {
    const { event, trace } = await client.getIntegrationEvent({ params: { integrationName, eventId } });
    const recorded = left.get(event.installationId ?? '')?.shift();
    const called = trace.attempts[0]?.at;
    if (recorded !== undefined && called !== undefined) times.push(Math.max(0, Date.parse(called) - recorded));
  }
  return times;
}

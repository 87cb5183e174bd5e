import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import { parseKeyring } from '@scriptorium/platform/keyring';
import { openStore } from '@scriptorium/testing/store';
import { insertDeliveries, queueOf, webhookDelivery, type WebhookDelivery } from '../outbox/index.js';
import { startRig, type Rig } from '../test/rig.js';
import { WebhookDeliverer } from './deliver-webhook.process.js';
import { nextFor } from './next-delivery.queries.js';
import { attemptsOf } from './traces.operational.js';

const hour = 3_600_000;
const day = 24 * hour;
/** Deliveries with it are left to this spec. */
const slot = 100_000;

/** By a clock that goes from one attempt to the next. */
describe('a webhook whose receiver is away', () => {
  let rig: Rig;
  let store: ReturnType<typeof openStore>;
  beforeAll(async () => {
    rig = await startRig();
    store = openStore(rig.config, 'integrations');
  }, 120_000);
  afterAll(async () => {
    await store.stop();
    await rig.stop();
  });

  it('is tried seven times for each event, and disabled when one has failed after 5 days, not before', async () => {
    const { organization } = rig;
    const path = `/orgs/${organization}/webhooks`;
    const body = { url: 'https://receiver.invalid/hook', events: ['space_removed'] };
    const webhook = String((await rig.send('POST', path, { body })).body['id']);
    const began = Date.now();
    const clock = { now: began };
    const away = { fetch: () => Promise.reject(new AppError('bad_gateway')) };
    const keys = parseKeyring(rig.config.SECRET_KEYS);
    const logger = { error: () => undefined };
    const parts = { store, database: store.database, keys, logger, outbound: away, now: () => clock.now };
    const paused: number[] = [];
    const metrics = { sent: () => undefined, paused: () => paused.push(clock.now - began) };
    const deliverer = new WebhookDeliverer({ context: parts, metrics });
    // Something happens every 12 hours.
    const events = Array.from({ length: 14 }, (_, n) => {
      const target = { kind: 'space', id: `s${n}` } as const;
      const planned = { webhook, organization, type: 'space_removed', target, revision: null } as const;
      const at = began + n * 12 * hour;
      return { ...webhookDelivery(planned, { position: n + 1, happenedAt: new Date(at).toISOString() }, at), slot };
    });
    await insertDeliveries(parts, events);
    while (paused.length === 0) {
      const next = (await nextFor(parts, { installation: queueOf(webhook), slot })) as WebhookDelivery;
      clock.now = Math.max(clock.now, next.nextAt);
      expect(await deliverer.deliver(next, () => true)).toEqual({ kind: 'next' });
    }
    const [after = 0] = paused;
    expect([after >= 5 * day, after < 6 * day]).toEqual([true, true]);
    const pauses = [5_000, 300_000, 1_800_000, 2 * hour, 5 * hour, 10 * hour];
    for (const { event } of events.slice(0, 8)) {
      const times = (await attemptsOf(parts, event)).map(({ at }) => Date.parse(at));
      expect(times).toHaveLength(7);
      for (const [n, pause] of pauses.entries()) {
        const between = (times[n + 1] ?? 0) - (times[n] ?? 0);
        expect([between >= pause, between <= pause * 1.1 + 1]).toEqual([true, true]);
      }
    }
    const { body: shown } = await rig.send('GET', `${path}/${webhook}`);
    expect(shown).toMatchObject({ status: 'disabled', disabledReason: 'failures' });
    await rig.send('DELETE', `${path}/${webhook}`);
  }, 60_000);
});

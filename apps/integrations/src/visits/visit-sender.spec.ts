import { describe, expect, it } from '@jest/globals';
import { installationReach } from '@scriptorium/access';
import type { Visit } from '@scriptorium/contracts';
import { createRegistry, type Scope } from '@scriptorium/platform';
import { VisitSender } from './visit-sender.process.js';

const granted = ['site:views:read'];
const reach = { spaces: [], sites: [{ id: 's', since: 1 }], allSpacesSince: null, allSitesSince: null, since: 1 };
const installation = { _id: 'i', integration: 'x', organization: 'o', granted, set: [], paused: null, ...reach };
const integration = { _id: 'x', name: 'n', version: 1, scopes: granted, required: [] };
const visitor = { anonymousId: '', cookies: {}, userAgent: '', ip: '' };
const visit: Visit = { type: 'site_view', organization: 'o', site: 's', visitor, url: '', referrer: '' };

describe('visits', () => {
  it('are told to who reaches the site with the scope; those that are too many are counted', async () => {
    const installed = { find: () => ({ toArray: () => Promise.resolve([installation]) }) };
    const published = { byIds: () => Promise.resolve([integration]) };
    const store: unknown = { read: (of: unknown) => (of === installationReach ? installed : published) };
    const scope = { store } as Pick<Scope, 'store'>;
    const registry = createRegistry();
    let told = 0;
    const run = () => {
      told += 1;
      return new Promise<never>(() => undefined);
    };
    const sender = new VisitSender({ run }, registry);
    await sender.send(scope, [
      { ...visit, site: 'other' },
      { ...visit, type: 'page_feedback', feedback: { rating: 'ok' } },
    ]);
    expect(told).toBe(0);
    await sender.send(
      scope,
      Array.from({ length: 507 }, () => visit),
    );
    sender.stop();
    expect(told).toBe(4);
    expect(await registry.getSingleMetricAsString('scriptorium_visits_dropped_total')).toContain(
      '{service="integrations",cause="too_many"} 3',
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { installationReach } from '@scriptorium/access';
import type { Scope } from '@scriptorium/platform';
import type { ContentObjects, ContentTree, FoundResult, Page } from '../../versions/index.js';
import { readerWait, scriptedExpansionOf, type ScriptWait } from './scripted-expansion.process.js';

const scopes = ['space:content:read'];
const target = { spaces: [{ id: 's', since: 1 }], sites: [], allSpacesSince: null, allSitesSince: null, since: 1 };
const reach = { _id: 'i', integration: 'x', organization: 'o', granted: scopes, set: [], paused: null, ...target };
const integration = { _id: 'x', name: 'n', version: 1, scopes, required: [] };
const page = { id: 'p', computed: { type: 'integration:n:s', props: {} } } as Page;
const failure = { reason: 'integration_failed', message: 'Bad', count: 1, until: 1 } as const;
const never = new Promise<never>(() => undefined);

/** What is shown of a page when this is kept, and whether something was computed. */
async function shown(kept: (seed: string) => Partial<FoundResult>, wait: ScriptWait, paused: string | null = null) {
  const installed = { find: () => ({ toArray: () => Promise.resolve([{ ...reach, paused }]) }) };
  const published = { byIds: () => Promise.resolve([integration]) };
  const store: unknown = { read: (of: unknown) => (of === installationReach ? installed : published) };
  let renewed = 0;
  const computed: unknown = {
    find: ({ seed }: { seed: string }) => Promise.resolve({ kept: undefined, failure: undefined, ...kept(seed) }),
    isDue: () => true,
    renew: () => {
      renewed += 1;
      return never;
    },
  };
  const scope = { store } as Pick<Scope, 'store'>;
  const place = { organization: 'o', space: 's', branch: 's', tree: {} as ContentTree, wait };
  const found = await scriptedExpansionOf(scope, { computed } as ContentObjects, place, page);
  return { ...found, renewed };
}

describe('what is shown of a page that a script computes', () => {
  const long = 2 ** 31 - 1;

  it('is what is kept, at once and stale, while something newer is computed', async () => {
    const older = () => ({ kept: { id: 'r', at: 1, seed: 'older' } });
    const found = await shown(older, { ...readerWait, mostMs: long });
    expect(found).toMatchObject({ seed: 'older', isStale: true, result: { id: 'r', at: 1 }, renewed: 1 });
  });

  it('is waited for where nothing is kept', async () => {
    expect(await shown(() => ({}), { mostMs: 1, newerMs: 0 })).toMatchObject({ result: null, renewed: 1 });
    expect(readerWait).toEqual({ mostMs: 3_000, newerMs: 0 });
  });

  it('is computed again when it is not whole, and not when it is', async () => {
    const own = (seed: string) => ({ kept: { id: 'r', at: 1, seed } });
    expect(await shown(own, readerWait)).toMatchObject({ isStale: false, isPartial: false, renewed: 0 });
    const partial = await shown((seed) => ({ ...own(seed), failure }), readerWait);
    expect(partial).toMatchObject({ isStale: false, isPartial: true, renewed: 1 });
  });

  it('is stale while the integration is paused, and not computed', async () => {
    const own = (seed: string) => ({ kept: { id: 'r', at: 1, seed } });
    expect(await shown(own, readerWait, 'failures')).toMatchObject({ isStale: true, renewed: 0 });
  });
});

import { siteEventSchemas } from '@scriptorium/contracts';
import { defineAggregate, defineEvents } from '@scriptorium/event-sourcing';
import type { Rig } from './rig-with-store.js';

const site = defineAggregate({
  service: 'sites',
  entity: 'site',
  events: defineEvents(siteEventSchemas).pick('SiteCreated', 'SiteSpaceAdded', 'SitePublished'),
  initial: null,
  evolve: () => null,
});

/** Records that a published site shows a space, as the service of sites does, which does not run beside these specs. */
export async function publishSite(
  { store }: Rig,
  { organization, space }: { organization: string; space: string },
): Promise<void> {
  const context = { actor: { kind: 'system' as const, id: 'spec' }, operation: 'spec', correlation: 'spec' };
  const created = { organization, title: 'Site', type: 'basic', visibility: 'public', basename: 'site' } as const;
  await store.scope({ ...context, organization }, {}).handle(site, `site-of-${space}`, () => [
    { type: 'SiteCreated' as const, data: created },
    { type: 'SiteSpaceAdded' as const, data: { siteSpace: `shows-${space}`, space, section: null, path: 'a' } },
    { type: 'SitePublished' as const, data: {} },
  ]);
}

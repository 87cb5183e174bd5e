import type { FailedDelivery } from '@scriptorium/contracts';
import type { Page, PageRequest, Scope } from '@scriptorium/platform';
import type { Filter } from 'mongodb';
import { allDeliveries, isForWebhook, webhookOf, type AnyDelivery } from '../outbox/index.js';
import { integrations } from '../publishing/index.js';
import { webhookAddresses, webhooks } from '../webhooks/index.js';
import { pageOfDeliveries } from './page-of-deliveries.queries.js';

interface Listing extends PageRequest {
  operation: string;
  organization?: string | undefined;
  /** The id of one. */
  integration?: string | undefined;
}

/**
 * What the log says and what could not be delivered, of all organizations, the latest position first. Calls, tasks and
 * tests have no position.
 */
export async function failedDeliveries(
  scope: Scope,
  { operation, page, limit, organization, integration }: Listing,
): Promise<Page<FailedDelivery>> {
  const filter: Filter<AnyDelivery> = {
    state: 'failed',
    position: { $gt: 0 },
    ...(organization === undefined ? {} : { organization }),
    ...(integration === undefined ? {} : { integration }),
  };
  const found = await pageOfDeliveries(scope, allDeliveries(scope), {
    filter,
    sort: 'position',
    operation,
    of: { organization, integration },
    request: { page, limit },
  });
  return { ...found, items: await show(scope, found.items) };
}

/** As they are answered: ids, names and hosts, and nothing of what they say. */
async function show(scope: Scope, items: readonly AnyDelivery[]): Promise<FailedDelivery[]> {
  const hosts = await hostsOf(scope, [...new Set(items.filter(isForWebhook).map(webhookOf))]);
  const scripts = items.filter((one) => !isForWebhook(one)).map(({ integration }) => integration);
  const published = await scope.store.read(integrations).byIds([...new Set(scripts)]);
  const names = new Map(published.map(({ _id, name }) => [_id, name]));
  return items.map((one) => ({
    object: 'failed-delivery',
    id: one.event,
    organization: one.organization,
    ...(isForWebhook(one)
      ? { webhook: { id: webhookOf(one), ...hosts.get(webhookOf(one)) } }
      : { integration: names.get(one.integration), installation: one.installation }),
    type: one.type as FailedDelivery['type'],
    createdAt: one.createdAt,
    attempts: one.attempts,
    ...(one.reason === null ? {} : { reason: one.reason }),
    ...(one.replay === undefined ? {} : { replay: one.replay }),
  }));
}

/** The hosts of the addresses of webhooks, which may hold secrets elsewhere. */
async function hostsOf(scope: Scope, ids: readonly string[]): Promise<ReadonlyMap<string, { host: string }>> {
  const found = await scope.store.read(webhooks).byIds(ids);
  const hosts = await Promise.all(
    found.map(async ({ _id: owner, address: version }) => {
      const url = await webhookAddresses.find(scope, { owner, version });
      return url === undefined ? [] : [[owner, { host: new URL(url).host }] as const];
    }),
  );
  return new Map(hosts.flat());
}

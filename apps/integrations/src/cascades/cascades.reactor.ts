import { organizationFacts } from '@scriptorium/access';
import { organizationEventSchemas } from '@scriptorium/contracts';
import { defineEvents, reactor, type Reactor, type StoreScope } from '@scriptorium/event-sourcing';
import { waitForProjections, type ServiceContext } from '@scriptorium/platform';
import { dropDelivered } from '../dispatch/index.js';
import { dropCallbacks } from '../endpoints/index.js';
import { close, installation, installations, roster, rosterEvents, uninstall } from '../installations/index.js';
import { integration, integrationEvents, integrationNames, integrations, unpublish } from '../publishing/index.js';
import { queueOf } from '../outbox/index.js';
import { dropReplay } from '../replay/index.js';
import { configurations } from '../sealed/index.js';
import { close as closeWebhooks, webhookAddresses, webhookEvents, webhooks, webhooksOf } from '../webhooks/index.js';
import { unpublishRun } from './unpublish.run.js';

/** With the publication of an integration its installations end. */
export const unpublishedReactor: Reactor = reactor({
  name: 'unpublished_integrations',
  entities: ['integration'],
  events: [integrationEvents.pick('IntegrationUnpublished')],
  react: async ({ entityId: id, meta }, store) => {
    const organization = meta.organization ?? '';
    const input = { integration: id, organization };
    await store.in(organization).requestRun(unpublishRun, { id: `unpublish-${id}`, input });
  },
});

/** What was installed at the moment in which it was unpublished ends, too. */
export const lateInstallationsReactor: Reactor = reactor({
  name: 'late_installations',
  entities: ['installations'],
  events: [rosterEvents.pick('IntegrationInstalled')],
  react: async ({ entityId: organization, position, data }, store) => {
    await waitForProjections({ store }, { position, type: 'IntegrationUnpublished' }, [integrations]);
    if ((await store.read(integrations).byId(data.integration)) !== null) return;
    await store
      .in(organization)
      .handle(roster, organization, (state) => uninstall(state, data.installation, 'unpublished'));
  },
});

/** With an organization everything ends that it has installed, its webhooks, and everything that it publishes. */
export const deletedOrganizationsReactor: Reactor = reactor({
  name: 'integrations_of_deleted_organizations',
  entities: ['identity.organization'],
  events: [defineEvents(organizationEventSchemas).pick('OrganizationDeleted')],
  react: async ({ entityId: organization, position }, store) => {
    const inside = store.in(organization);
    await inside.handle(roster, organization, close);
    await inside.step('webhooks').handle(webhooksOf, organization, closeWebhooks);
    await waitForProjections({ store }, { position, type: 'IntegrationPublished' }, [integrations]);
    const owned = await store.read(integrations).find({ organization }).toArray();
    for (const { _id: owner, name: value } of owned) await unpublishOf(inside, { owner, value });
  },
});

/** What was published at the moment in which the organization was deleted. */
export const lateIntegrationsReactor: Reactor = reactor({
  name: 'late_integrations',
  entities: ['integration'],
  events: [integrationEvents.pick('IntegrationPublished')],
  react: async ({ entityId: owner, position, data: { organization, name: value } }, store) => {
    await waitForProjections({ store }, { position, type: 'OrganizationDeleted' }, [organizationFacts]);
    const facts = await store.read(organizationFacts).byId(organization);
    if (facts?.deleted === true) await unpublishOf(store.in(organization), { owner, value });
  },
});

async function unpublishOf(store: StoreScope, { owner, value }: { owner: string; value: string }): Promise<void> {
  const step = store.step(owner);
  await step.giveUp(integrationNames, { value, owner }, () => step.handle(integration, owner, unpublish));
}

/** One-time addresses of an installation end with it, and what is known of its replay. */
export function endedCallbacksReactor(context: Pick<ServiceContext, 'database'>): Reactor {
  return reactor({
    name: 'callbacks_of_ended_installations',
    entities: ['installations'],
    events: [rosterEvents.pick('IntegrationUninstalled')],
    react: async ({ data: { installation: id } }) => {
      await dropCallbacks(context, { installation: id });
      await dropReplay(context, id);
    },
  });
}

/** Nothing is left of the installations of a deleted organization: no values, no external ids, no deliveries. */
export function endedOfDeletedReactor(context: Pick<ServiceContext, 'database'>): Reactor {
  return reactor({
    name: 'installations_of_deleted_organizations',
    entities: ['installations'],
    events: [rosterEvents.pick('IntegrationUninstalled')],
    react: async ({ entityId: organization, position, type, data }, store) => {
      if (data.reason !== 'organization_deleted') return;
      await waitForProjections({ store }, { position, type }, [installations]);
      await configurations.dropAll(context, { owner: data.installation });
      await dropDelivered(context, { installation: data.installation });
      await store.in(organization).erase(installation, data.installation);
    },
  });
}

/** Of a webhook that was deleted nothing is left: no address, no deliveries. An address that was replaced goes, too. */
export function endedWebhooksReactor(context: Pick<ServiceContext, 'database'>): Reactor {
  return reactor({
    name: 'ended_webhooks',
    entities: ['webhooks'],
    events: [webhookEvents.pick('WebhookDeleted', 'WebhookAddressChanged')],
    react: async ({ position, type, data }, store) => {
      // Who sends has to know the new address, or that there is none.
      await waitForProjections({ store }, { position, type }, [webhooks]);
      const { webhook: owner } = data;
      if ('replaced' in data) return webhookAddresses.drop(context, [{ owner, version: data.replaced }]);
      await webhookAddresses.dropAll(context, { owner });
      await dropDelivered(context, { installation: queueOf(owner) });
      await dropReplay(context, queueOf(owner));
    },
  });
}

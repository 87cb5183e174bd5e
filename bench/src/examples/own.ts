import { createClient, type Client } from '@scriptorium/contracts';
import { patientClient } from '../product/patient-client.js';
import type { Product } from '../product/product.js';
import { waitFor } from '../processes/wait-for.js';
import type { NameServer } from './name-server.js';
import type { Recorder } from './recorder.js';

/** What is asked in an organization that is made for it. */
interface Asked {
  client: Client;
  organizationId: string;
  spaceId: string;
  siteId: string;
  /** The product behind the recorder, for answers that are no examples, and the recorder. */
  unseen: Client;
  endpoint: string;
  names: NameServer;
}

const waitMs = 60_000;

/** Asks what needs more than one request before it. Returns what was not answered. */
export async function askInOwn({ endpoint }: Recorder, product: Product, names: NameServer): Promise<string[]> {
  const unseen = patientClient(product);
  const client = patientClient({ endpoint, token: product.token });
  const { id: organizationId } = await unseen.createOrganization({ body: { title: 'Examples' } });
  const { id: spaceId } = await unseen.createSpace({
    params: { organizationId },
    body: { title: 'Handbook', language: 'en', editMode: 'live' },
  });
  const { id: siteId } = await unseen.createSite({
    params: { organizationId },
    body: { title: 'Docs', visibility: 'public', spaces: [spaceId] },
  });
  const asked: Asked = { client, organizationId, spaceId, siteId, unseen, endpoint, names };
  const refusals: string[] = [];
  for (const [name, ask] of Object.entries({ webhooks, published, specification, translation, integration }))
    await ask(asked).catch((error: unknown) => void refusals.push(`${name}: ${String(error)}`));
  return refusals;
}

/** An hour before it is asked for. */
const from = new Date(Date.now() - 3_600_000).toISOString();

async function webhooks({ client, unseen, organizationId }: Asked): Promise<void> {
  const { id: webhookId } = await client.createOrganizationWebhook({
    params: { organizationId },
    body: { url: 'https://www.example.com/hooks', events: ['space_content_updated', 'space_added'], name: 'CI' },
  });
  const params = { organizationId, webhookId };
  await client.updateOrganizationWebhook({ params, body: { name: 'Search' } });
  await client.rotateOrganizationWebhookSecret({ params });
  await unseen.createSpace({ params: { organizationId }, body: { title: 'Notes' } });
  const first = async () => (await unseen.listOrganizationWebhookDeliveries({ params })).items[0];
  const { id: deliveryId } = await waitFor('a delivery', first, waitMs, 200);
  // What waits to be sent again fails when the webhook is disabled.
  await unseen.updateOrganizationWebhook({ params, body: { status: 'disabled' } });
  const isOver = async () => ((await first())?.status === 'queued' ? undefined : true);
  await waitFor('the end of a delivery', isOver, waitMs, 200);
  await client.listOrganizationWebhookDeliveries({ params });
  await unseen.updateOrganizationWebhook({ params, body: { status: 'active' } });
  await client.redeliverOrganizationWebhookDelivery({ params: { ...params, deliveryId } });
  await client.startOrganizationWebhookReplay({ params, body: { from, types: ['space_added'] } });
  await client.getOrganizationWebhookReplay({ params });
}

async function published({ client, unseen, organizationId, siteId, endpoint, names }: Asked): Promise<void> {
  const params = { organizationId, siteId };
  const { urls } = await client.publishSite({ params });
  await client.getPublishedContentSite({ params });
  const found = await unseen.resolvePublishedContentByUrl({ body: { url: urls.published ?? '' } });
  if ('apiToken' in found) await createClient({ endpoint, token: found.apiToken }).getPublishedPdf({ params });
  const { hostnameProof } = await unseen.updateSiteById({ params, body: { hostname: 'docs.example.org' } });
  names.text = hostnameProof?.value ?? '';
  await client.verifySiteHostname({ params });
}

const specText = (path: string): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: { [path]: { get: { operationId: 'list', responses: { 200: { description: 'OK' } } } } },
  });

async function specification({ client, unseen, organizationId }: Asked): Promise<void> {
  const params = { organizationId, specSlug: 'shop' };
  const lastVersion = async () => (await unseen.getOpenAPISpecBySlug({ params })).lastVersion;
  await unseen.createOpenAPISpec({
    params: { organizationId },
    body: { slug: 'shop', source: { text: specText('/orders') } },
  });
  const first = await waitFor('the first version', lastVersion, waitMs, 200);
  await unseen.createOrUpdateOpenAPISpecBySlug({ params, body: { source: { text: specText('/bills') } } });
  const isNext = async () => ((await lastVersion()) === first ? undefined : lastVersion());
  const versionId = await waitFor('the second version', isNext, waitMs, 200);
  await client.getOpenAPISpecVersionContentRawById({ params: { ...params, versionId } });
  await client.listOpenAPISpecVersionChanges({ params: { ...params, versionId } });
}

async function translation({ client, unseen, organizationId, spaceId }: Asked): Promise<void> {
  const document = { markdown: 'Press the **red** button.' };
  await unseen.changeSpaceContent({
    params: { spaceId },
    body: { changes: [{ operation: 'insert_page', title: 'Start', document }] },
  });
  const { id: translationId } = await unseen.createTranslation({
    params: { organizationId },
    body: { language: 'de', source: { space: spaceId } },
  });
  const params = { organizationId, translationId };
  await client.runTranslation({ params, body: { force: true } });
  const translated = async () => {
    const { items } = await unseen.listTranslationSegments({ params });
    return items.find(({ source }) => source.startsWith('Press'));
  };
  const { id: segmentId, page: pageId } = await waitFor('a translated text', translated, waitMs, 200);
  await client.listTranslationSegments({ params, query: { pageId } });
  const target = 'Drücken Sie den <g id="1">roten</g> Knopf.';
  await client.updateTranslationSegment({ params: { ...params, segmentId }, body: { target } });
}

/** Proposes two channels, and tells its own token to whoever asks for that. */
const script = `export default { async fetch(request) {
  const form = await request.formData();
  const { type, request: asked } = JSON.parse(form.get('event'));
  if (type !== 'fetch') return new Response('');
  const isSearched = asked.url.includes('search=token');
  return Response.json(isSearched ? [JSON.parse(form.get('environment')).apiTokens.integration] : ['general', 'news']);
} };`;
const configuration = {
  properties: {
    account: { type: 'button', title: 'Account', callback_url: '/connect', button_text: 'Connect' },
    channel: { type: 'string', title: 'Channel', completion_url: '/channels' },
  },
} as const;

async function integration({ client, unseen, organizationId, spaceId, siteId, endpoint }: Asked): Promise<void> {
  const named = { integrationName: `slack-${organizationId.slice(0, 8).toLowerCase()}` };
  const configurations = { account: configuration, space: configuration, site: configuration };
  await unseen.publishIntegration({
    params: named,
    body: {
      ...{
        organization: organizationId,
        title: 'Team chat',
        description: 'Tells a channel what happens',
        runtime: 'v1',
        visibility: 'private',
        target: 'all',
      },
      ...{ scopes: ['space:content:read', 'site:views:read'], categories: [], configurations, script },
    },
  });
  const { id: installationId } = await unseen.installIntegration({
    params: named,
    body: { organization: organizationId },
  });
  const params = { ...named, installationId };
  await unseen.installIntegrationOnSpace({ params, body: { space: spaceId } });
  await unseen.installIntegrationOnSite({ params, body: { siteId } });
  const button = { ...params, property: 'account' };
  await client.beginIntegrationInstallationCallback({ params: button });
  await client.beginIntegrationSpaceInstallationCallback({ params: { ...button, spaceId } });
  await client.beginIntegrationSiteInstallationCallback({ params: { ...button, siteId } });
  await client.listConfigurationCompletions({ params, query: { property: 'channel', search: 'gen' } });
  const told = await unseen.listConfigurationCompletions({ params, query: { property: 'channel', search: 'token' } });
  const itself = createClient({ endpoint, token: told.items[0]?.id ?? '' });
  await itself.createInstallationToken({ params });
  await itself.queueIntegrationTask({ params: named, body: { task: { kind: 'summary' }, schedule: 3600 } });
  await client.setIntegrationDevelopmentMode({ params: named, body: { tunnelUrl: 'https://tunnel.example.com' } });
  await client.getIntegrationDevelopmentMode({ params: named });
  await client.disableIntegrationDevelopmentMode({ params: named });
  const delivered = async () => (await unseen.listIntegrationInstallationEvents({ params })).items[0];
  const { id: eventId } = await waitFor('an event', delivered, waitMs, 200);
  await client.listIntegrationInstallationEvents({ params, query: { limit: 1 } });
  await waitFor(
    'a redelivery',
    () => client.redeliverIntegrationEvent({ params: { ...named, eventId } }).catch(() => undefined),
    waitMs,
    500,
  );
  await client.startIntegrationInstallationReplay({ params, body: { from } });
  await client.getIntegrationInstallationReplay({ params });
}

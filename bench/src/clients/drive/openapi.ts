import { waitFor } from '../../processes/wait-for.js';
import { textAt, type Call } from '../official.js';
import type { World } from '../world.js';

const text = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: { '/orders': { get: { operationId: 'listOrders', responses: { 200: { description: 'OK' } } } } },
});

/** Specifications of an organization: given, read, shown with their versions, and deleted. */
export async function driveOpenAPI({ call, own, organization }: World): Promise<void> {
  const params = { organizationId: organization, specSlug: 'shop' };
  await call('createOpenAPISpec', organization, { slug: 'shop', source: { text } });
  await waitFor(
    'a version of the specification',
    async () => (await own.getOpenAPISpecBySlug({ params })).lastVersion !== undefined,
    30_000,
    200,
  );
  await call('listOpenAPISpecs', organization, { limit: 10 });
  const { lastVersion = '' } = await own.getOpenAPISpecBySlug({ params });
  await call('getOpenAPISpecBySlug', organization, 'shop');
  await call('listOpenAPISpecVersions', organization, 'shop', {});
  await call('getLatestOpenAPISpecVersion', organization, 'shop');
  await call('getOpenAPISpecVersionById', organization, 'shop', lastVersion);
  await call('getOpenAPISpecVersionContentById', organization, 'shop', lastVersion);
  await call('getLatestOpenAPISpecVersionContent', organization, 'shop');
  await call('getLatestOpenAPISpecVersionContentRaw', organization, 'shop');
  await call('createOrUpdateOpenAPISpecBySlug', organization, 'shop', { source: { text } });
  await call('updateOpenAPISpecBySlug', organization, 'shop', { visibility: 'public' });
  await call('getLatestOpenAPISpecVersionContent', organization, 'shop');
  await call('deleteOpenAPISpecBySlug', organization, 'shop');
  await publishAsCommand(call, organization);
}

/** What the command of the client does for `openapi publish`: a text or a URL, and then it shows the page. */
async function publishAsCommand(call: Call, organization: string): Promise<void> {
  for (const source of [{ text }, { text }, { url: 'https://specifications.example.com/shop.json' }]) {
    const published = await call('createOrUpdateOpenAPISpecBySlug', organization, 'published', { source });
    if (!URL.canParse(textAt(published, 'urls.app'))) throw new Error('A specification has no page to be shown');
  }
  await call('deleteOpenAPISpecBySlug', organization, 'published');
}

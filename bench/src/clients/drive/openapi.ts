import { waitFor } from '../../processes/wait-for.js';
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
  await call('createOrUpdateOpenAPISpecBySlug', organization, 'shop', { source: { text } });
  await call('updateOpenAPISpecBySlug', organization, 'shop', { visibility: 'public' });
  await call('deleteOpenAPISpecBySlug', organization, 'shop');
}

import { asOneClient, serveRigs } from '@scriptorium/testing/host';

// The process in which the services of this workspace's rigs run.
await serveRigs({
  services: {
    integrations: async () => ({ ...(await import('../create.js')), ...(await import('../settings.js')) }),
    sites: async () => ({ ...(await import('@scriptorium/sites')), ...(await import('@scriptorium/sites/settings')) }),
    content: async () => ({
      ...(await import('@scriptorium/content')),
      ...(await import('@scriptorium/content/settings')),
    }),
    identity: async () => ({
      ...(await import('@scriptorium/identity')),
      ...(await import('@scriptorium/identity/settings')),
    }),
  },
  usual: ['integrations', 'sites', 'content', 'identity'],
  async startGateway(settings) {
    const { createGateway, createRecentWrites } = await import('@scriptorium/gateway');
    return createGateway(settings, { recentWrites: asOneClient(createRecentWrites()) });
  },
});

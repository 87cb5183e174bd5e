import { asOneClient, serveRigs } from '@scriptorium/testing/host';

// The process in which the services of this workspace's rigs run.
await serveRigs({
  services: {
    content: async () => ({ ...(await import('../create.js')), ...(await import('../settings.js')) }),
    identity: async () => ({
      ...(await import('@scriptorium/identity')),
      ...(await import('@scriptorium/identity/settings')),
    }),
  },
  usual: ['content', 'identity'],
  async startGateway(settings) {
    const { createGateway, createRecentWrites } = await import('@scriptorium/gateway');
    return createGateway(settings, { recentWrites: asOneClient(createRecentWrites()) });
  },
});

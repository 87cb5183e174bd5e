import { asOneClient, serveRigs } from '@scriptorium/testing/host';

// The process in which the services of this workspace's rigs run.
await serveRigs({
  services: {
    conversations: async () => ({ ...(await import('../create.js')), ...(await import('../settings.js')) }),
    integrations: async () => ({
      ...(await import('@scriptorium/integrations')),
      ...(await import('@scriptorium/integrations/settings')),
    }),
    identity: async () => ({
      ...(await import('@scriptorium/identity')),
      ...(await import('@scriptorium/identity/settings')),
    }),
  },
  usual: ['conversations', 'integrations', 'identity'],
  async startGateway(settings) {
    const { createGateway, createRecentWrites } = await import('@scriptorium/gateway');
    return createGateway(settings, { recentWrites: asOneClient(createRecentWrites()) });
  },
});

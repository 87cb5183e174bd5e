import { asOneClient, serveRigs } from '@scriptorium/testing/host';

// The process in which the services of this workspace's rigs run.
await serveRigs({
  services: {
    collaboration: async () => ({ ...(await import('../create.js')), ...(await import('../settings.js')) }),
    content: async () => ({
      ...(await import('@scriptorium/content')),
      ...(await import('@scriptorium/content/settings')),
    }),
    conversations: async () => ({
      ...(await import('@scriptorium/conversations')),
      ...(await import('@scriptorium/conversations/settings')),
    }),
    identity: async () => ({
      ...(await import('@scriptorium/identity')),
      ...(await import('@scriptorium/identity/settings')),
    }),
    sites: async () => ({ ...(await import('@scriptorium/sites')), ...(await import('@scriptorium/sites/settings')) }),
  },
  usual: ['collaboration', 'content', 'identity', 'conversations'],
  async startGateway(settings) {
    const { createGateway, createRecentWrites } = await import('@scriptorium/gateway');
    return createGateway(settings, { recentWrites: asOneClient(createRecentWrites()) });
  },
});

import { serveRigs } from '@scriptorium/testing/host';

// The process in which the services of this workspace's rigs run.
await serveRigs({
  services: {
    identity: async () => ({ ...(await import('../create.js')), ...(await import('../settings.js')) }),
  },
  usual: ['identity'],
  async startGateway(settings) {
    const { createGateway } = await import('@scriptorium/gateway');
    return createGateway(settings);
  },
});

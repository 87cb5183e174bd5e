import { askHost, type InstallationAnswer, type InstallationRequest } from './host-protocol.js';
import { clientOf, createTenant, type Rig } from './rig.js';

/**
 * A rig of the installation that all specs of a run share, with an organization and people of its own. With settings,
 * services or replicas of its own it is a rig of an installation that is started for it, in the same processes.
 */
export async function openRig(request: InstallationRequest = {}): Promise<Rig> {
  const { endpoint, first, config, alone } = await askHost<InstallationAnswer>('POST', '/installations', request);
  const path = `/installations/${config.NAMESPACE}`;
  const client = alone ? { ...first, ...clientOf(endpoint, first) } : await createTenant(endpoint, first);
  return {
    ...client,
    endpoint,
    config,
    async replica(service) {
      const { id } = await askHost<{ id: string }>('POST', `${path}/replicas`, { service });
      return { stop: () => askHost('DELETE', `${path}/replicas/${id}`) };
    },
    stop: async () => {
      if (alone) await askHost('DELETE', path);
    },
  };
}

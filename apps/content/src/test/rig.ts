import { openRig, type InstallationRequest, type Rig } from '@scriptorium/testing';

export { type Answer, eventually, get, type Person, type Rig } from '@scriptorium/testing';

/**
 * The gateway, content and identity over the three servers, spoken to by HTTP: an organization of its own in the
 * installation of the run. `variables`: further ones of the services' environment, in an installation alone.
 */
export function startRig(variables?: Record<string, string>, more: InstallationRequest = {}): Promise<Rig> {
  return openRig({ ...(variables && { variables }), ...more });
}

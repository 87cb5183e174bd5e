import { openRig, type InstallationRequest, type Rig } from '@scriptorium/testing';

export { type Answer, get, type Person, type Rig } from '@scriptorium/testing';

/**
 * The gateway, conversations, integrations and identity over the three servers, spoken to by HTTP: an organization of
 * its own in the installation of the run.
 */
export function startRig(more: InstallationRequest = {}): Promise<Rig> {
  return openRig(more);
}

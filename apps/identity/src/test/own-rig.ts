import { createGateway, type GatewayConfig } from '@scriptorium/gateway';
import { startOwnRig, type OwnRig } from '@scriptorium/testing/own-rig';
import { create } from '../create.js';
import { settings } from '../settings.js';
import { mailTo } from './mail.js';

export { eventually, get, type Person } from '@scriptorium/testing';

/**
 * The gateway and identity with three servers of their own, in the process of the spec. Specs use them through HTTP.
 */
export interface Rig extends OwnRig {
  /** The texts of the mail to an address, in the order in which it was sent. */
  mailTo(email: string): Promise<string[]>;
}

/** Starts everything. `variables`: further variables of the environment of identity. `own`: settings of the gateway. */
export async function startRig(variables: Record<string, string> = {}, own: Partial<GatewayConfig> = {}): Promise<Rig> {
  const rig = await startOwnRig({
    services: [{ name: 'identity', create, settings }],
    startGateway: (defaults) => createGateway({ ...defaults, ...own }),
    variables,
  });
  return { ...rig, mailTo: (email) => mailTo(rig.folder, email) };
}

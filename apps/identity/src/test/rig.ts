import type { GatewayConfig } from '@scriptorium/gateway';
import { openRig, type InstallationRequest, type Rig as AnyRig } from '@scriptorium/testing';
import { mailTo } from './mail.js';

export { type Answer, type Body, eventually, get, type Person, type Send } from '@scriptorium/testing';

/** The gateway and identity over the three servers, spoken to by HTTP. */
export interface Rig extends AnyRig {
  /** The texts of the mail to an address, in the order in which it was sent. */
  mailTo(email: string): Promise<string[]>;
}

/**
 * What a rig has of its own, in an installation alone: further variables of identity's environment, settings of the
 * gateway.
 */
export interface OwnSettings extends Pick<InstallationRequest, 'alone' | 'variables'> {
  gateway?: Partial<GatewayConfig>;
}

/** An organization of its own in the installation of the run, or an installation alone. */
export async function startRig(variables?: Record<string, string>, more: OwnSettings = {}): Promise<Rig> {
  const rig = await openRig({ ...(variables && { variables }), ...(more as InstallationRequest) });
  return { ...rig, mailTo: (email) => mailTo(rig.config.DATA_DIR, email) };
}

import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createGateway, type GatewayConfig } from '@scriptorium/gateway';
import { startRig as startServices, type Rig as ServiceRig } from '@scriptorium/testing';
import { create } from '../create.js';
import { settings } from '../settings.js';

export { eventually } from '@scriptorium/event-sourcing/testing';
export { type Answer, type Body, gatewayDefaults, get, type Person, type Send } from '@scriptorium/testing';

/** The gateway and identity with the three servers, in their own namespace. Specs use them through HTTP. */
export interface Rig extends ServiceRig {
  /** The texts of the mail to an address, in the order in which it was sent. */
  mailTo(email: string): Promise<string[]>;
}

/**
 * Starts everything. Servers that the environment does not name are started in a temporary folder. `variables`: further
 * variables of the environment of identity. `own`: settings of the gateway.
 */
export async function startRig(variables: Record<string, string> = {}, own: Partial<GatewayConfig> = {}): Promise<Rig> {
  const rig = await startServices({
    services: [{ name: 'identity', create, settings }],
    startGateway: (defaults) => createGateway({ ...defaults, ...own }),
    variables,
  });
  return { ...rig, mailTo: (email) => mailTo(join(rig.folder, 'outbox'), email) };
}

/** The texts of the mails to an address. Long lines are in quoted-printable encoding. */
async function mailTo(folder: string, email: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  const mails = await Promise.all(files.sort().map((file) => readFile(join(folder, file), 'utf8')));
  const decoded = mails.map((mail) => mail.replaceAll('=\r\n', '').replaceAll('=3D', '='));
  return decoded.filter((mail) => mail.includes(`\nTo: ${email}\r\n`));
}

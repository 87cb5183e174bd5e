import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createGateway, type GatewayConfig } from '@scriptorium/gateway';
import { startRig as startServices, type Rig as ServiceRig } from '@scriptorium/testing';
import { create } from '../create.js';
import { settings } from '../settings.js';

export { eventually } from '@scriptorium/event-sourcing/testing';
export { type Answer, type Body, gatewayDefaults, get, type Person, type Send } from '@scriptorium/testing';

/** The gateway and identity over the three servers, in a namespace of their own, spoken to by HTTP. */
export interface Rig extends ServiceRig {
  /** The texts of the mail to an address, in the order in which it was sent. */
  mailTo(email: string): Promise<string[]>;
}

/** Starts everything, servers that the environment does not name in a folder of their own. `variables`: further variables of identity's environment; `own`: of the gateway's. */
export async function startRig(variables: Record<string, string> = {}, own: Partial<GatewayConfig> = {}): Promise<Rig> {
  const rig = await startServices({
    services: [{ name: 'identity', create, settings }],
    startGateway: (defaults) => createGateway({ ...defaults, ...own }),
    variables,
  });
  return { ...rig, mailTo: (email) => mailTo(join(rig.folder, 'outbox'), email) };
}

/** Written by quoted-printable where lines are long. */
async function mailTo(folder: string, email: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  const mails = await Promise.all(files.sort().map((file) => readFile(join(folder, file), 'utf8')));
  const decoded = mails.map((mail) => mail.replaceAll('=\r\n', '').replaceAll('=3D', '='));
  return decoded.filter((mail) => mail.includes(`\nTo: ${email}\r\n`));
}

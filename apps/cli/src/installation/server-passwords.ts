import { randomBytes } from 'node:crypto';
import { StopError } from '../stop-error.js';
import { readText, writePrivate } from './private-file.js';

/** The embedded servers. Each has a password. */
export const embeddedServers = ['eventstore', 'mongodb', 'nats'] as const;
export type EmbeddedServer = (typeof embeddedServers)[number];
export type ServerPasswords = Readonly<Record<EmbeddedServer, string>>;

/** The only user of each embedded server. */
export const serverUser = 'scriptorium';

/** The form of a password. Its characters have no special meaning in files, URLs and environments. */
export const passwordForm = /^[A-Za-z0-9_-]{32,128}$/;

/**
 * The passwords of the embedded servers, from the file `path`, which the first start creates. Other users of this
 * machine can reach the ports of the servers, but cannot read the file.
 * @throws StopError when the file has other content
 */
export async function serverPasswords(path: string): Promise<ServerPasswords> {
  const kept = (await readText(path))?.trim();
  if (kept !== undefined && kept !== '') return parse(kept, path);
  const made = { eventstore: newPassword(), mongodb: newPassword(), nats: newPassword() };
  await writePrivate(path, `${embeddedServers.map((name) => `${name}:${made[name]}`).join(',')}\n`);
  return made;
}

function newPassword(): string {
  return randomBytes(32).toString('base64url');
}

function parse(text: string, path: string): ServerPasswords {
  const found = new Map(text.split(',').map((entry) => entry.split(':', 2) as [string, string | undefined]));
  const passwordOf = (name: EmbeddedServer): string => {
    const password = found.get(name);
    if (password === undefined || !passwordForm.test(password))
      throw new StopError(`${path} is damaged; remove it, and the next start makes new passwords`);
    return password;
  };
  return { eventstore: passwordOf('eventstore'), mongodb: passwordOf('mongodb'), nats: passwordOf('nats') };
}

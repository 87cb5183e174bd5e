import { randomBytes } from 'node:crypto';
import { StopError } from '../stop-error.js';
import { readText, writePrivate } from './private-file.js';

/** The embedded servers, each of which demands a password of its own. */
export const embeddedServers = ['eventstore', 'mongodb', 'nats'] as const;
export type EmbeddedServer = (typeof embeddedServers)[number];
export type ServerPasswords = Readonly<Record<EmbeddedServer, string>>;

/** The one user of each embedded server. */
export const serverUser = 'scriptorium';

/** A password as it stands in the file, in URLs and in environments: no sign in it has a meaning there. */
export const passwordForm = /^[A-Za-z0-9_-]{32,128}$/;

/**
 * The passwords of the embedded servers, kept in the file `path`, which is made at the first start. Other users of this machine
 * reach the servers' ports, but cannot read the file.
 * @throws StopError when the file holds something else.
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

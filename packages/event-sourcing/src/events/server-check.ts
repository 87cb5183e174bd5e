import { AppError } from '@scriptorium/contracts';
import { pause } from '../process/time.js';
import { isAccessDenied } from './client-errors.js';

/**
 * The oldest release that does what is used: a subscription to `$all` says when it has caught up also where nothing
 * matches its filter, and goes on reading, instead of ending, when it falls behind. Earlier ones say it only sometimes,
 * and projections wait for it.
 */
const oldestRelease = [24, 2] as const;

/** A new cluster makes its first users some seconds after it answers. */
const deniedAtMost = 10_000;

/** @throws AppError `unexpected` when the server is of a release that lacks what is used */
export function requireRelease(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldestRelease;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  const found = /^\d/.test(version) ? `version ${version}` : 'of a version before 21.10';
  throw new AppError('unexpected', [], {
    message: `EventStoreDB at EVENTSTORE_URL is ${found}; version ${oldestRelease.join('.')} or newer is needed`,
  });
}

/** Reads as a start does. @throws AppError `unexpected` when the server goes on refusing the user for `patience` ms */
export async function requireAccess(
  read: () => Promise<unknown>,
  { patience = deniedAtMost, signal }: { patience?: number; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const end = performance.now() + patience;
  for (;;) {
    try {
      await read();
      return;
    } catch (error) {
      if (!isAccessDenied(error) || performance.now() >= end || signal?.aborted === true) throw error;
      await pause(250, signal);
    }
  }
}

/**
 * The release of the server that a client is connected to, such as `24.10.0`; `unknown` if it does not tell.
 * @throws Error when the client differs from version 6.2.1, whose internals are used here
 */
export async function versionOf(client: object): Promise<string> {
  const features: unknown = await Reflect.get(client, 'capabilities');
  const version: unknown =
    typeof features === 'object' && features !== null ? Reflect.get(features, 'serverVersion') : undefined;
  if (typeof version !== 'string')
    throw new Error('This version of the EventStoreDB client keeps the version of the server in another way');
  return version;
}

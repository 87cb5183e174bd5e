import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { base62, type ServiceContext } from '@scriptorium/platform';

/** Letters kept in the folder; the oldest go. */
const mostLetters = 1_000;

/**
 * Whose letters are whose, without an address: keyed, as reservations are. It is part of the names of files, by which letters
 * are found when nobody knows the address any more.
 */
export function mailboxOf({ keys }: Pick<ServiceContext, 'keys'>, address: string): string {
  return base62(keys.digest('mailbox', address.toLowerCase()).subarray(0, 16), 19);
}

/**
 * Writes a letter to a file that only its owner reads. Whoever ends what it is about looks for its file after that: one of the
 * two finds the other's work. Null for a letter that is wanted no more.
 */
export async function keepLetter(
  context: Pick<ServiceContext, 'mail' | 'keys' | 'now'>,
  { id, to, bytes, isWanted }: { id: string; to: string; bytes: Uint8Array; isWanted: () => Promise<boolean> },
): Promise<string | null> {
  if (!(await isWanted())) return null;
  const { outbox } = context.mail;
  await mkdir(outbox, { recursive: true, mode: 0o700 });
  const time = new Date(context.now()).toISOString().replaceAll(':', '-');
  const path = join(outbox, `${time}-${id}-${mailboxOf(context, to)}.eml`);
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(bytes);
  } finally {
    await file.close();
  }
  const kept = (await readdir(outbox)).filter((entry) => entry.endsWith('.eml')).sort();
  await removeAll(outbox, kept.slice(0, Math.max(0, kept.length - mostLetters)));
  if (await isWanted()) return path;
  await rm(path, { force: true });
  return null;
}

/** Removes letters from this machine's folder. `mark`: the mailbox they went to, or another part of their names. */
export async function forgetLetters({ mail: { outbox } }: Pick<ServiceContext, 'mail'>, mark: string): Promise<void> {
  const kept = await readdir(outbox).catch((error: unknown) => {
    // Where nothing was ever written there is no folder. Any other error must not pass for "no letters".
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  await removeAll(outbox, kept.filter((entry) => entry.endsWith('.eml') && entry.includes(`-${mark}`)));
}

async function removeAll(folder: string, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
}

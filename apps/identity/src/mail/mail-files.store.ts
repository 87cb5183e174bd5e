import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { base62, type Scope } from '@scriptorium/platform';

/** Files kept in the folder; beyond that the oldest are removed. */
const mostFiles = 1_000;

interface MailFile {
  id: string;
  to: string;
  bytes: Uint8Array;
  isWanted: () => Promise<boolean>;
}

/**
 * The mailbox of an address, as a keyed hash: it is part of the names of files, by which the mail of a person is found
 * when nobody knows the address any more.
 */
export function mailboxOf({ keys }: Pick<Scope, 'keys'>, address: string): string {
  return base62(keys.digest('mailbox', address.toLowerCase()).subarray(0, 16), 19);
}

/** Mail as files in a folder of this machine, which only its owner can read. For installations without a mail server. */
export class MailFiles {
  constructor(
    private readonly context: Pick<Scope, 'keys' | 'now'>,
    private readonly folder: string,
  ) {}

  /**
   * Writes a mail to a file and returns its path; null when the mail is not wanted any more. Whoever ends what the mail is
   * about removes its file after that. The file is looked at again after it was written, so one of the two finds it.
   */
  async keep({ id, to, bytes, isWanted }: MailFile): Promise<string | null> {
    if (!(await isWanted())) return null;
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const time = new Date(this.context.now()).toISOString().replaceAll(':', '-');
    const path = join(this.folder, `${time}-${id}-${mailboxOf(this.context, to)}.eml`);
    const file = await open(path, 'w', 0o600);
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
    const kept = (await readdir(this.folder)).filter((entry) => entry.endsWith('.eml')).sort();
    await this.#removeAll(kept.slice(0, Math.max(0, kept.length - mostFiles)));
    if (await isWanted()) return path;
    await rm(path, { force: true });
    return null;
  }

  /** Removes the files whose names have this mark: a mailbox, or the mark of an invitation. */
  async remove(mark: string): Promise<void> {
    const kept = await readdir(this.folder).catch((error: unknown) => {
      // The folder is made with the first file. Any other error must not be taken for "no files".
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    });
    await this.#removeAll(kept.filter((entry) => entry.endsWith('.eml') && entry.includes(`-${mark}`)));
  }

  async #removeAll(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => rm(join(this.folder, name), { force: true })));
  }
}

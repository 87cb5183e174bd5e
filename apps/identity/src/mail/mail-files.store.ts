import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { base62, type Scope } from '@scriptorium/platform';

/** The most files in the folder. When there are more, the oldest are removed. */
const maxFiles = 1_000;

interface MailFile {
  id: string;
  to: string;
  bytes: Uint8Array;
  isWanted: () => Promise<boolean>;
}

/**
 * The mailbox of an address, as a keyed hash. It is part of file names, so that the mail of an erased person can be
 * found without the address.
 */
export function mailboxOf({ keys }: Pick<Scope, 'keys'>, address: string): string {
  return base62(keys.digest('mailbox', address.toLowerCase()).subarray(0, 16), 19);
}

/** Stores mail as files that only their owner can read. It is used by installations without a mail server. */
export class MailFiles {
  constructor(
    private readonly context: Pick<Scope, 'keys' | 'now'>,
    private readonly folder: string,
  ) {}

  /**
   * Writes a mail to a file and returns its path, or null when the mail is no longer wanted. Whoever revokes a mail
   * removes its file after that. Here the mail is checked after the file is written, so one of the two finds the file.
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
    await this.#removeAll(kept.slice(0, Math.max(0, kept.length - maxFiles)));
    if (await isWanted()) return path;
    await rm(path, { force: true });
    return null;
  }

  /** Removes the files whose names contain this mark: a mailbox, or the mark of an invitation. */
  async remove(mark: string): Promise<void> {
    const kept = await readdir(this.folder).catch((error: unknown) => {
      // The folder is created with the first file. Other errors must not be taken for an empty folder.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    });
    await this.#removeAll(kept.filter((entry) => entry.endsWith('.eml') && entry.includes(`-${mark}`)));
  }

  async #removeAll(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => rm(join(this.folder, name), { force: true })));
  }
}

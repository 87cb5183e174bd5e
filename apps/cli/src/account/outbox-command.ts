import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import type { CommandContext } from '../command-line/context.js';
import { readFolderSettings } from '../settings.js';
import { StopError } from '../stop-error.js';

/**
 * `scriptorium outbox`: prints the newest mail that was written to the data folder instead of being sent, with its
 * links in one piece. `to`: only mail to this address.
 * @throws ConfigError for an invalid setting; StopError when there is no such mail
 */
export async function outboxCommand({ to, environment, answer }: CommandContext & { to?: string }): Promise<void> {
  const folder = join(readFolderSettings(environment).DATA_DIR, 'outbox');
  const wanted = to?.toLowerCase();
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
  for (const name of names.reverse()) {
    const {
      to: recipients = [],
      subject = '',
      date,
      text = '',
    } = await PostalMime.parse(await readFile(join(folder, name)));
    const address = recipients[0]?.address ?? '';
    if (wanted !== undefined && wanted !== address.toLowerCase()) continue;
    answer(
      { file: join(folder, name), to: address, subject, date, text },
      `To: ${address}\nSubject: ${subject}\nDate: ${date}\n\n${text.trim()}\n`,
    );
    return;
  }
  const which = to === undefined ? '' : ` to ${to}`;
  throw new StopError(`there is no mail${which} in ${folder}; with SMTP_URL it is sent instead`);
}

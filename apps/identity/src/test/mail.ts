import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The texts of the mails to an address, in the order in which they were sent. Long lines are in quoted-printable
 * encoding.
 */
export async function mailTo(dataDir: string, email: string): Promise<string[]> {
  const folder = join(dataDir, 'outbox');
  const files = await readdir(folder).catch(() => []);
  const mails = await Promise.all(files.sort().map((file) => readFile(join(folder, file), 'utf8')));
  const decoded = mails.map((mail) => mail.replaceAll('=\r\n', '').replaceAll('=3D', '='));
  return decoded.filter((mail) => mail.includes(`\nTo: ${email}\r\n`));
}

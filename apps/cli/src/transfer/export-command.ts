import { createClient } from '@scriptorium/contracts';
import type { CommandContext } from '../command-line/context.js';
import { addressOf } from '../installation/address.js';
import { explain } from '../installation/explain.js';
import { download } from './download.js';

export interface ExportInput extends CommandContext {
  /** Where the zip is written. */
  file: string | undefined;
  space: string;
}

/**
 * `scriptorium export`: writes the content of a space of the running installation to a zip. The file has its name once
 * it is whole.
 * @throws ConfigError for an invalid setting; StopError when there is no installation, or it refuses
 */
export async function exportCommand({ file, space, environment, screen, answer }: ExportInput): Promise<void> {
  const client = createClient(await addressOf(environment));
  const { url } = await client.exportSpace({ params: { spaceId: space } }).catch(explain);
  const path = file ?? decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? 'space.zip');
  const bytes = await download({ url, path, what: 'export', screen });
  answer({ file: path, bytes }, `Exported ${bytes} bytes to ${path}\n`);
}

import { createWriteStream } from 'node:fs';
import { copyFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createClient } from '@scriptorium/contracts';
import { addressOf } from '../installation/address.js';
import { explain } from '../installation/explain.js';
import { withTemporaryFolder } from '../installation/temporary.js';
import { StopError } from '../stop-error.js';

export interface ExportInput {
  /** Where the zip is written. */
  file: string | undefined;
  space: string;
  environment: NodeJS.ProcessEnv;
  write: (text: string) => void;
  isTerminal: boolean;
}

const MiB = 1024 * 1024;

/**
 * `scriptorium export`: writes the content of a space of the running installation to a zip. The file has its name once
 * it is whole.
 * @throws ConfigError for an invalid setting; StopError when there is no installation, or it refuses
 */
export async function exportCommand({ file, space, environment, write, isTerminal }: ExportInput): Promise<void> {
  const client = createClient(await addressOf(environment));
  const { url } = await client.exportSpace({ params: { spaceId: space } }).catch(explain);
  const path = file ?? decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? 'space.zip');
  const answer = await fetch(url).catch(explain);
  if (!answer.ok || answer.body === null) throw new StopError(`the export was answered with ${answer.status}`);
  const { body } = answer;
  let bytes = 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (isTerminal) write(`\r\u001b[2K${(bytes / MiB).toFixed(1)} MiB`);
      yield chunk;
    }
  };
  await withTemporaryFolder(async (folder) => {
    const part = join(folder, 'export.zip');
    try {
      await pipeline(body, counted, createWriteStream(part));
      await move(part, path);
    } catch (error) {
      throw new StopError(`the export broke off: ${error instanceof Error ? error.message : ''}`, error);
    } finally {
      if (isTerminal) write('\r\u001b[2K');
    }
  });
  write(`Exported ${bytes} bytes to ${path}\n`);
}

/** Gives a whole file its name, also in another file system. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyFile(from, to).catch(async (failure: unknown) => {
      await rm(to, { force: true });
      throw failure;
    });
  }
}

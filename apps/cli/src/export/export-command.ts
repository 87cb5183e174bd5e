import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createClient } from '@scriptorium/contracts';
import { addressOf } from '../installation/address.js';
import { explain } from '../installation/explain.js';
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
  const part = `${path}.part`;
  let bytes = 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (isTerminal) write(`\r\u001b[2K${(bytes / MiB).toFixed(1)} MiB`);
      yield chunk;
    }
  };
  try {
    await pipeline(Readable.fromWeb(answer.body as ReadableStream<Uint8Array>), counted, createWriteStream(part));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw new StopError(`the export broke off: ${error instanceof Error ? error.message : ''}`, error);
  } finally {
    if (isTerminal) write('\r\u001b[2K');
  }
  write(`Exported ${bytes} bytes to ${path}\n`);
}

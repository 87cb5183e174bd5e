import { createWriteStream } from 'node:fs';
import { copyFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { whileWorking } from '../command-line/progress.js';
import type { Screen } from '../command-line/screen.js';
import { explain } from '../installation/explain.js';
import { withTemporaryFolder } from '../installation/temporary.js';
import { StopError } from '../stop-error.js';

export interface Download {
  url: string;
  /** Where the bytes are written. */
  path: string;
  /** What is loaded, for messages. */
  what: string;
  screen: Screen;
}

const MiB = 1024 * 1024;
/** How long something may be in the making, ms. */
const waitMs = 600_000;
const mostPauseSeconds = 60;

/**
 * Loads what an address leads to. The file has its name once it is whole.
 * @returns how many bytes
 * @throws StopError when it is refused or breaks off
 */
export async function download({ url, path, what, screen }: Download): Promise<number> {
  const body = await whileWorking(screen, `waiting for the ${what}`, () => bodyAt(url, what));
  let bytes = 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      screen.show(`${(bytes / MiB).toFixed(1)} MiB`);
      yield chunk;
    }
  };
  await withTemporaryFolder(async (folder) => {
    const part = join(folder, 'part');
    try {
      await pipeline(body, counted, createWriteStream(part));
      await move(part, path);
    } catch (error) {
      throw new StopError(`the ${what} broke off: ${error instanceof Error ? error.message : ''}`, error);
    } finally {
      screen.clear();
    }
  });
  return bytes;
}

/** What is still being made is asked for again, when the answer says so. */
async function bodyAt(url: string, what: string): Promise<NonNullable<Response['body']>> {
  for (const until = Date.now() + waitMs; ;) {
    const answer = await fetch(url).catch(explain);
    if (answer.ok && answer.body !== null) return answer.body;
    const again = Number(answer.headers.get('retry-after') ?? Number.NaN);
    const text = await answer.text();
    if (answer.status !== 503 || !(again <= mostPauseSeconds) || Date.now() > until)
      throw new StopError(`the ${what} was answered with ${answer.status}${messageIn(text)}`);
    await pause(Math.max(again, 1) * 1_000);
  }
}

function messageIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string } };
    return error?.message === undefined ? '' : `: ${error.message}`;
  } catch {
    return '';
  }
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

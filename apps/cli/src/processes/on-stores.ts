import { request } from 'node:http';
import { isAlive } from '@scriptorium/embedded/live-process';
import * as z from 'zod';
import { filesOf } from '../installation/data-folder.js';
import { claimFolder } from '../installation/format.js';
import { readJson } from '../installation/private-file.js';
import { StopError } from '../stop-error.js';
import { version } from '../version.js';
import { withStoppedStores, type Stores } from './servers-stores.js';

/** Sends an order to the running servers and returns their answer. */
type Ask = <R>(order: string, body: string, answer: z.ZodType<R>) => Promise<R>;

interface Ways<R> {
  running: (ask: Ask) => Promise<R>;
  stopped: (stores: Stores) => Promise<R>;
}

const ServersFile = z.object({ pid: z.int(), pidStart: z.string().optional(), port: z.int(), secret: z.string() });
const Refusal = z.object({ error: z.string() });
const longestAnswer = 10_000;

/**
 * Works with the stores of the data folder `path`: by an order to the running servers, or by opening the stores in this
 * process, which nobody else may use then.
 * @throws StopError when the running servers cannot carry out the order
 */
export async function onStores<R>(path: string, { running, stopped }: Ways<R>): Promise<R> {
  const found = ServersFile.safeParse(await readJson(filesOf(path).servers).catch(() => undefined));
  if (found.success && isAlive(found.data.pid, found.data.pidStart)) return running(asking(found.data));
  const claim = await claimFolder(path, version);
  try {
    return await withStoppedStores(path, stopped);
  } finally {
    await claim.release();
  }
}

/** Uses Node's `http` because `fetch` does not wait long enough for the answer to a large copy. */
function asking({ port, secret }: z.output<typeof ServersFile>): Ask {
  return async (order, body, schema) => {
    const answer = await new Promise<string>((done, failed) => {
      const asked = request({
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: `/${order}`,
        agent: false,
        headers: { authorization: `Bearer ${secret}` },
      });
      asked.once('error', (error) =>
        failed(new StopError(`the running servers could not carry out the ${order}: ${error.message}`, error)),
      );
      asked.once('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text = (text + chunk).slice(0, longestAnswer)));
        response.once('error', failed).once('end', () => done(text));
      });
      asked.end(body);
    });
    const json: unknown = JSON.parse(answer);
    const refused = Refusal.safeParse(json);
    if (refused.success)
      throw new StopError(`the running servers could not carry out the ${order}: ${refused.data.error}`);
    return schema.parse(json);
  };
}

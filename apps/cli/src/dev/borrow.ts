import { request, type IncomingMessage } from 'node:http';
import type { RunFile } from '../installation/run-file.js';
import { StopError } from '../stop-error.js';

const answerMs = 40_000;

export interface Borrowed {
  /** Resolves when the installation has ended. */
  ended: Promise<void>;
  /** Gives the service back. */
  giveBack(): void;
}

/** Asks a running installation to leave a service to this process. @throws StopError when it refuses or is not there. */
export async function borrow({ control }: RunFile, service: string): Promise<Borrowed> {
  const asked = request({
    host: '127.0.0.1', port: control.port, method: 'POST', path: `/lend/${service}`, agent: false,
    headers: { authorization: `Bearer ${control.secret}` },
  });
  const late = setTimeout(() => asked.destroy(new Error('no answer')), answerMs);
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve);
    asked.once('error', (error) => reject(new StopError(`the running installation cannot be reached: ${error.message}`, error)));
    asked.end();
  });
  const response = await answered.finally(() => clearTimeout(late));
  if (response.statusCode !== 200) throw new StopError((await textOf(response)).trim());
  asked.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    response.once('close', resolve).on('error', () => resolve()).resume();
  });
  return { ended, giveBack: () => void asked.destroy() };
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text = (text + String(chunk)).slice(0, 1_000);
  return text;
}

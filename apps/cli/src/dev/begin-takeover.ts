import { request, type IncomingMessage } from 'node:http';
import type { RunFile } from '../installation/run-file.js';
import { StopError } from '../stop-error.js';

const answerMs = 40_000;

export interface Takeover {
  /** Resolves when the installation has ended. */
  installationEnded: Promise<void>;
  /** Makes the installation run its own copy of the service again. */
  end(): void;
}

/**
 * Begins a dev takeover of a service of a running installation.
 * @throws StopError when the installation refuses or does not run
 */
export async function beginTakeover({ control }: RunFile, service: string): Promise<Takeover> {
  const asked = request({
    host: '127.0.0.1',
    port: control.port,
    method: 'POST',
    path: `/dev-takeover/${service}`,
    agent: false,
    headers: { authorization: `Bearer ${control.secret}` },
  });
  const late = setTimeout(() => asked.destroy(new Error('no answer')), answerMs);
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve);
    asked.once('error', (error) =>
      reject(new StopError(`the running installation cannot be reached: ${error.message}`, error)),
    );
    asked.end();
  });
  const response = await answered.finally(() => clearTimeout(late));
  if (response.statusCode !== 200) throw new StopError((await textOf(response)).trim());
  asked.on('error', () => undefined);
  const installationEnded = new Promise<void>((resolve) => {
    response
      .once('close', resolve)
      .on('error', () => resolve())
      .resume();
  });
  return { installationEnded, end: () => void asked.destroy() };
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text = (text + String(chunk)).slice(0, 1_000);
  return text;
}

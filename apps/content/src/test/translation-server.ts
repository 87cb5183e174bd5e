import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server with the protocol of LibreTranslate that a spec holds in its hands. */
export interface TranslationServer {
  url: string;
  /** The texts of each request. */
  sent: string[][];
  /** What it says for a text. */
  say: (text: string) => string;
  /** Answers with this status instead, with no time to wait. */
  status: number;
  /** Keeps requests waiting while it is there. */
  held: Promise<void> | undefined;
  stop(): Promise<void>;
}

/** Says every text in its own words, so that the result can be told from its source. */
export async function startTranslationServer(): Promise<TranslationServer> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => void parts.push(part));
    request.on('end', () => void answer(Buffer.concat(parts).toString('utf8')));
    async function answer(body: string): Promise<void> {
      const { q } = JSON.parse(body) as { q: string[] };
      own.sent.push(q);
      await own.held;
      response.writeHead(own.status, { 'content-type': 'application/json' });
      response.end(own.status === 200 ? JSON.stringify({ translatedText: q.map((text) => own.say(text)) }) : '{}');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own: TranslationServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: [],
    say: (text) => `Auf ${text}`,
    status: 200,
    held: undefined,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return own;
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { createOutbound, parseNetworks } from '@scriptorium/platform';
import { openProvider, type ProviderChoice } from '../open-provider.process.js';
import { type TranslationProvider } from '../provider.js';

export type ServerKind = Exclude<ProviderChoice['kind'], 'copy' | 'pseudo'>;
export const serverKinds: readonly ServerKind[] = ['chat', 'libretranslate', 'deepl', 'apertium'];

type Words = (text: string) => string;
/** How a request of a kind is read, and its answer written. */
type Protocol = (body: string, say: Words) => unknown;

const parsed = <T>(body: string): T => JSON.parse(body) as T;

/** What servers of each kind would answer, as their documentation says. */
export const protocols: Readonly<Record<ServerKind, Protocol>> = {
  chat: (body, say) => {
    const { messages } = parsed<{ messages: Array<{ content: string }> }>(body);
    const { texts } = parsed<{ texts: Array<{ n: number; text: string }> }>(messages[1]?.content ?? '');
    const translations = texts.map(({ n, text }) => ({ n, text: say(text) }));
    return {
      choices: [{ message: { content: JSON.stringify({ translations }) } }],
      usage: { prompt_tokens: 10, completion_tokens: 5 },
    };
  },
  libretranslate: (body, say) => ({ translatedText: parsed<{ q: string[] }>(body).q.map(say) }),
  deepl: (body, say) => ({ translations: parsed<{ text: string[] }>(body).text.map((text) => ({ text: say(text) })) }),
  apertium: (body, say) => {
    const q = new URLSearchParams(body).get('q') ?? '';
    const translatedText = q.replace(/<p>([\s\S]*?)<\/p>/g, (_, text: string) => `<p>${say(text)}</p>`);
    return { responseData: { translatedText }, responseStatus: 200 };
  },
};

/** A server of a provider, and what it was sent. */
export interface ProviderStub {
  provider: TranslationProvider;
  /** Heads and bodies of the requests. */
  sent: Array<{ url: string; headers: string; body: string }>;
  /** Says another text for each. */
  say: Words;
  /** Answers instead of the protocol. */
  instead: ((response: ServerResponse) => void) | undefined;
  stop(): void;
}

export const secret = 'key-of-the-provider';

export async function startProvider(kind: ServerKind, withinMs?: number): Promise<ProviderStub> {
  const stub: Pick<ProviderStub, 'sent' | 'say' | 'instead'> = { sent: [], say: (text) => text, instead: undefined };
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      stub.sent.push({ url: request.url ?? '', headers: JSON.stringify(request.headers), body });
      if (stub.instead) return stub.instead(response);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(protocols[kind](body, stub.say)));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const provider = openProvider({
    kind,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    key: secret,
    model: 'a-model',
    outbound: createOutbound({ allowed: parseNetworks('127.0.0.0/8') }),
    now: () => Date.parse('2026-01-01T00:00:00Z'),
    ...(withinMs !== undefined && { withinMs }),
  });
  return Object.assign(stub, { provider, stop: () => void server.close().closeAllConnections() });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

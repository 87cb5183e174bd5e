import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a model is sent of a conversation, or of a cluster. */
interface Sent {
  subject?: string;
  messages?: string[];
  issues?: { title: string; summary: string }[];
}

/** A server with the protocol of OpenAI that a spec holds in its hands. */
export interface ModelServer {
  url: string;
  /** What each request was sent. */
  chats: { system: string; sent: Sent; model: string; key: string | undefined }[];
  embedded: string[][];
  /** What the language model says, as JSON or as the text that it is. */
  say: (sent: Sent) => unknown;
  /** The vector of a text. */
  vectorOf: (text: string) => number[];
  /** Answers with this status instead. */
  status: number;
  /** Embeds none of some texts when it does not take one of them. */
  takes: (text: string) => boolean;
  /** Answers with this text instead; never, when it is `null`. */
  instead: string | null | undefined;
  /** More headers of the answers. */
  headers: Record<string, string>;
  stop(): Promise<void>;
}

interface Body {
  model: string;
  messages?: { content: string }[];
  input?: string[];
}

/** A title of what was said, with a mark of the model, and a label of the same kind. */
const usual = ({ messages = [], issues = [] }: Sent): object =>
  issues.length > 0
    ? { label: `Model label ${issues.length}`, summary: 'What the model says of them.' }
    : { issues: messages.slice(0, 1).map((text) => ({ title: `Model: ${text}`, summary: text })) };

export async function startModelServer(): Promise<ModelServer> {
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const said = JSON.stringify(answer(request, body));
      if (own.instead === null) return;
      const isTaken = (body.input ?? []).every((text) => own.takes(text));
      response.writeHead(isTaken ? own.status : 400, {
        'content-type': 'application/json',
        location: '/elsewhere',
        ...own.headers,
      });
      response.end(own.instead ?? said);
    });
  });
  function answer({ url, headers }: IncomingMessage, { model, messages = [], input = [] }: Body): unknown {
    if (url === '/v1/embeddings') {
      own.embedded.push(input);
      // In another order than asked for: numbers say which is which.
      return { data: input.map((text, index) => ({ index, embedding: own.vectorOf(text) })).toReversed() };
    }
    const sent = JSON.parse(messages[1]?.content ?? '{}') as Sent;
    own.chats.push({ system: messages[0]?.content ?? '', sent, model, key: headers.authorization });
    const told = own.say(sent);
    return { choices: [{ message: { content: typeof told === 'string' ? told : JSON.stringify(told) } }] };
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own: ModelServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    ...{ chats: [], embedded: [], say: usual, vectorOf: () => [1], status: 200, instead: undefined },
    ...{ takes: () => true, headers: {} },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return own;
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as Body;
}

import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { TellFailure, Tool } from './tool.js';

/** What agents are told of a server, and what they can do there. */
export interface AgentServer<With> {
  name: string;
  title: string;
  version: string;
  /** What a model should know before it uses the tools. */
  instructions: string;
  tools: readonly Tool<With>[];
}

/** A request of an agent, as HTTP has it. Who may make it was checked before. */
export interface AgentRequest {
  method: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Uint8Array | undefined;
}

export interface AgentAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * Answers one request of the Model Context Protocol (streamable HTTP). Each stands alone: there are no sessions, and no
 * streams, as nothing is announced; so any replica can answer. `given`: what the tools of this request use. What is not
 * of the protocol is refused as it says: 400, 405, 406, 415.
 */
export async function answerAgent<With>(
  { name, title, version, instructions, tools }: AgentServer<With>,
  request: AgentRequest,
  given: With,
  tellFailure: TellFailure,
): Promise<AgentAnswer> {
  const serverFor = (): McpServer => {
    const server = new McpServer({ name, title, version }, { instructions });
    for (const tool of tools) tool.offer(server, given, tellFailure);
    return server;
  };
  if (isArray(request.body)) return refused('One message at a time: no arrays');
  const failures: Error[] = [];
  const options = { maxSubscriptions: 0, onerror: (error: Error) => void failures.push(error) };
  const response = await createMcpHandler(serverFor, options).fetch(webRequest(request));
  const body = Buffer.from(await response.arrayBuffer());
  // What a client did wrong is told to it alone.
  const isOfClient = response.status >= 400 && response.status < 500;
  if (!isOfClient) for (const error of failures) tellFailure(error, 'protocol');
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

/** Newer versions of the protocol have no arrays; with them one request could use a hundred tools at once. */
function isArray(body: Uint8Array | undefined): boolean {
  return body !== undefined && /^\s*\[/.test(Buffer.from(body.subarray(0, 1_024)).toString());
}

function refused(message: string): AgentAnswer {
  const error = { code: -32_600, message };
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
  return { status: 400, headers: { 'content-type': 'application/json' }, body };
}

function webRequest({ method, headers, body }: AgentRequest): Request {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') given.set(name, value);
  // Those who check it have done so; the protocol has no use for it.
  given.delete('authorization');
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
  return new Request('http://localhost/', { method, headers: given, body: hasBody ? new Uint8Array(body) : null });
}

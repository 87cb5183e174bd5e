import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the other side answers at a path: a text, or whatever it writes itself. */
type Page = string | ((response: ServerResponse, headers: IncomingHttpHeaders) => void);

/** A server on the loopback address that answers what it is told, and notes who has asked. */
export interface OtherSide {
  origin: string;
  pages: Map<string, Page>;
  /** The paths that were asked for. */
  asked: string[];
  stop(): void;
}

export async function startOtherSide(): Promise<OtherSide> {
  const pages = new Map<string, Page>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const page = pages.get(request.url ?? '');
    if (typeof page === 'function') return page(response, request.headers);
    response.statusCode = page === undefined ? 500 : 200;
    response.end(page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = (): void => void server.close().closeAllConnections();
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, pages, asked, stop };
}

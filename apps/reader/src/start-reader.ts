import type { WorkerPool } from '@scriptorium/platform/workers';
import type { AddressInfo } from 'node:net';
import { createHighlighter } from './highlight/highlighter.js';
import { createServer, type ServerConfig } from './server/server.js';
import { createApi } from './visit/api.js';
import { createComponents } from './visit/components.js';
import { createResolver } from './visit/resolve.js';
import { createViews } from './visit/views.js';

export interface ReaderConfig extends ServerConfig {
  /** Where the API is reached, without `/v1`. */
  apiUrl: string;
}

export interface ReaderParts {
  workers: Pick<WorkerPool, 'run'>;
  logError: (error: unknown, at: string) => void;
  /** How the API is asked; `fetch` unless given. */
  send?: typeof fetch;
}

export interface Reader {
  /** Where it listens, as `http://host:port`. */
  address: string;
  stop: () => Promise<void>;
}

/** Starts the reader: an ordinary client of the API, which shows published sites to people. */
export async function startReader(
  config: ReaderConfig,
  { workers, logError, send = fetch }: ReaderParts,
): Promise<Reader> {
  const api = createApi(config.apiUrl.replace(/\/+$/, ''), send);
  const views = createViews(api);
  const components = createComponents(api);
  const highlighter = createHighlighter(workers);
  const parts = { api, views, components, resolver: createResolver(api), highlighter, logError };
  const server = createServer(config, parts);
  await server.listen({ host: config.host, port: config.port });
  const { port, address, family } = server.server.address() as AddressInfo;
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    async stop() {
      await server.close();
      components.stop();
      await views.stop();
    },
  };
}

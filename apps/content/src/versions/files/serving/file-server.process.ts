import { fileServers, type FileServerNews } from '@scriptorium/contracts';
import { ConfigError } from '@scriptorium/platform/config';
import { newId, type ServiceContext } from '@scriptorium/platform';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFileHandler, type FileRoutes } from './file-requests.process.js';
import type { FileStore } from '../store/file-store.operational.js';
import type { FilesSettings } from '../files.settings.js';

type Route = NonNullable<ReturnType<FileRoutes['get']>>;

const announceEveryMs = 1_000;
/** Transfers under way that a stop waits for. */
const drainWithinMs = 1_000;
const mostConnections = 1_000;
/** A connection that moves no byte for this long is closed: longer than a store may take to give bytes their name. */
const idleMs = 150_000;

/**
 * Gives bytes to gateways and takes them, over HTTP: they are too many for messages. It tells gateways its address
 * every second, so that they know which replicas live.
 */
export class FileServer {
  readonly #context: ServiceContext;
  readonly #settings: FilesSettings;
  readonly #server: Server;
  readonly #id = newId();
  readonly #routes = new Map<string, Route>();
  #announcing: NodeJS.Timeout | undefined;
  #url = '';

  constructor(context: ServiceContext, files: FileStore, settings: FilesSettings) {
    const { FILES_HOST: host, FILES_URL: url } = settings;
    if (url === undefined && ['0.0.0.0', '::'].includes(host))
      throw new ConfigError(`FILES_URL is not set: gateways cannot connect to ${host}`);
    this.#context = context;
    this.#settings = settings;
    const handle = createFileHandler(context, files, this.#routes);
    // Longer than gateways keep a connection, so that none is closed while a gateway sends on it.
    this.#server = createServer({ requestTimeout: 0, headersTimeout: 10_000, keepAliveTimeout: 65_000 });
    this.#server.timeout = idleMs;
    this.#server.maxConnections = mostConnections;
    this.#server.on('request', (request, response) => handle(request, response, () => undefined));
    // A gateway sends the bytes once the head of the request was judged.
    this.#server.on('checkContinue', (request, response) => handle(request, response, () => response.writeContinue()));
  }

  /** Has another domain answer GET and HEAD of paths that begin with a part. */
  serve(part: string, answer: Route): void {
    this.#routes.set(part, answer);
  }

  async start(): Promise<void> {
    const { FILES_HOST: host, FILES_PORT: port, FILES_URL: url } = this.#settings;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
    const { port: taken } = this.#server.address() as AddressInfo;
    this.#url = url ?? `http://${host.includes(':') ? `[${host}]` : host}:${taken}`;
    this.#announce(false);
    this.#announcing = setInterval(() => this.#announce(false), announceEveryMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#announcing);
    if (!this.#server.listening) return;
    this.#announce(true);
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    const cut = setTimeout(() => this.#server.closeAllConnections(), drainWithinMs);
    await closed;
    clearTimeout(cut);
  }

  #announce(isStopping: boolean): void {
    const news: FileServerNews = { id: this.#id, url: this.#url, isStopping };
    this.#context.messaging.publish(fileServers, Buffer.from(JSON.stringify(news)));
  }
}

import type { ByteServerNews } from '@scriptorium/contracts';
import type { Messaging } from '@scriptorium/messaging';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '../process/config.js';
import { newId } from '../process/ids.js';

export interface ByteServerOptions {
  messaging: Pick<Messaging, 'publish'>;
  /** Where it announces itself. */
  subject: string;
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Where gateways reach it; unset: at `host`. */
  url?: string | undefined;
  /** The setting that `url` comes from. */
  setting: string;
  /** A connection that moves no byte for so long is closed. */
  idleMs: number;
  handle: RequestListener;
  /** A request whose body is sent when it is asked for. */
  handleExpecting: RequestListener;
}

const announceEveryMs = 1_000;
/** Requests under way that a stop waits for. */
const drainWithinMs = 1_000;
const mostConnections = 1_000;

/**
 * A server for what is too many bytes for messages. It tells gateways its address every second, so that they know which
 * replicas live.
 */
export class ByteServer {
  readonly #options: ByteServerOptions;
  readonly #server: Server;
  readonly #id = newId();
  #announcing: NodeJS.Timeout | undefined;
  #url = '';

  /** @throws ConfigError when gateways could not find it */
  constructor(options: ByteServerOptions) {
    const { host, url, setting, idleMs } = options;
    if (url === undefined && ['0.0.0.0', '::'].includes(host))
      throw new ConfigError(`${setting} is not set: gateways cannot connect to ${host}`);
    this.#options = options;
    // Longer than gateways keep a connection, so that none is closed while a gateway sends on it.
    this.#server = createServer({ requestTimeout: 0, headersTimeout: 10_000, keepAliveTimeout: 65_000 });
    this.#server.timeout = idleMs;
    this.#server.maxConnections = mostConnections;
    this.#server.on('request', options.handle);
    // A gateway sends the bytes once the head of the request was judged.
    this.#server.on('checkContinue', options.handleExpecting);
  }

  async start(): Promise<void> {
    const { host, port, url } = this.#options;
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
    const news: ByteServerNews = { id: this.#id, url: this.#url, isStopping };
    this.#options.messaging.publish(this.#options.subject, Buffer.from(JSON.stringify(news)));
  }
}

import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLoopback } from '../loopback.js';
import { regularly } from '../regularly.js';
import { execute } from './commands/registry.js';
import { ClientConnection, type Execute } from './connection.js';
import { openEngine, type Engine } from './engine.js';
import { Usage } from './usage.js';

export interface MongoServerOptions {
  /** Address to listen on; 127.0.0.1 unless told otherwise. */
  readonly host?: string;
  /** Port to listen on; 0 (the default) takes a free one. */
  readonly port?: number;
  /** Folder of the data; without one a temporary folder is used and removed at the end. */
  readonly dataDir?: string;
  /** Most clients at a time; further ones are turned away. */
  readonly maxConnections?: number;
  /** ms between two compactions; 0, the default: only when `compact` is called */
  readonly compactEveryMs?: number;
  /** Folder in which the server notes at its end which commands, fields and operators it was sent; EMBEDDED_USAGE_DIR unless told otherwise, else nowhere. */
  readonly usageDir?: string;
  readonly logger?: (line: string) => void;
}

export interface MongoServer {
  readonly url: string;
  readonly port: number;
  /** Copies the data as it is now into `folder`, made when it is missing, while clients read and write. It holds one file, `data.mdb`. */
  backup(folder: string): Promise<void>;
  /** Moves what is live into a new file while clients read and write: of what was deleted before, no byte is left. Answers the bytes freed. */
  compact(): Promise<number>;
  /** Stops listening, finishes what is running, closes the data. */
  stop(): Promise<void>;
}

const MAX_CONNECTIONS = 2000;
const STOP_GRACE_MS = 2000;

/** Starts a server on its own data folder. Throws an Error naming the owner's pid when the folder is in use. */
export async function startMongoServer(options: MongoServerOptions = {}): Promise<MongoServer> {
  const { host = '127.0.0.1', port = 0, maxConnections = MAX_CONNECTIONS, logger = () => undefined } = options;
  if (!isLoopback(host)) throw new Error(`The embedded MongoDB server has no authentication and listens on loopback addresses only, not on ${host}`);
  const folder = options.dataDir ?? mkdtempSync(join(tmpdir(), 'embedded-mongodb-'));
  let bound = port;
  const engine = openEngine(folder, () => bound, logger);
  const usageDir = options.usageDir ?? process.env['EMBEDDED_USAGE_DIR'];
  const usage = usageDir === undefined ? undefined : new Usage();
  const run: Execute = (command, connection) => {
    usage?.add(command);
    return execute(engine, command, connection);
  };
  const clients = new Set<ClientConnection>();
  const server = createServer({ noDelay: true }, (socket) => accept(engine, clients, socket, run));
  server.maxConnections = maxConnections;
  try {
    bound = await listen(server, host, port);
  } catch (error) {
    await engine.close();
    throw error;
  }
  const timer = regularly('compaction', options.compactEveryMs ?? 0, async () => `${String(await engine.storage.compact())} bytes freed`, logger);
  logger(`mongodb listening on ${host}:${bound}, data in ${folder}`);
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    clearInterval(timer);
    const closed = new Promise((resolve) => server.close(resolve));
    await endClients(clients);
    await closed;
    await engine.close();
    if (usageDir !== undefined) usage?.save(usageDir);
    if (options.dataDir === undefined) rmSync(folder, { recursive: true, force: true });
  };
  const backup = async (folder: string): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await engine.storage.backup(folder);
  };
  return { backup, compact: () => engine.storage.compact(), url: `mongodb://${host.includes(':') ? `[${host}]` : host}:${bound}/?directConnection=true`, port: bound, stop: () => (stopped ??= stop()) };
}

function accept(engine: Engine, clients: Set<ClientConnection>, socket: Socket, run: Execute): void {
  engine.lastConnection += 1;
  const client = new ClientConnection(engine.lastConnection, socket, run);
  clients.add(client);
  engine.connections = clients.size;
  socket.on('close', () => {
    clients.delete(client);
    engine.connections = clients.size;
  });
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Lets running commands finish, for a while; then everybody is disconnected. */
async function endClients(clients: ReadonlySet<ClientConnection>): Promise<void> {
  const until = performance.now() + STOP_GRACE_MS;
  while ([...clients].some((c) => !c.idle) && performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
  for (const client of clients) client.end();
  await new Promise((resolve) => setImmediate(resolve));
  for (const client of clients) client.destroy();
}

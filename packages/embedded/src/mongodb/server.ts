import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Authentication, authenticationOf, userInfo } from '../authentication.js';
import { isLoopback } from '../loopback.js';
import { regularly } from '../regularly.js';
import { execute } from './commands/registry.js';
import { ClientConnection, type Execute } from './connection.js';
import { openEngine, type Engine } from './engine.js';
import { scramAccount } from './scram.js';
import { Usage } from './usage.js';

export interface MongoServerOptions {
  /** Address to listen on; 127.0.0.1 unless told otherwise. */
  readonly host?: string;
  /** Port to listen on; 0 (the default) takes a free one. */
  readonly port?: number;
  /** Whose commands are carried out; random credentials, which only `url` carries, unless given. */
  readonly auth?: Authentication;
  /** Folder of the data; without one a temporary folder is used and removed at the end. */
  readonly dataDir?: string;
  /** Most clients at a time; further ones are turned away. */
  readonly maxConnections?: number;
  /** ms between two compactions; 0, the default: only when `compact` is called */
  readonly compactEveryMs?: number;
  /**
   * Folder in which the server notes at its end which commands, fields and operators it was sent; EMBEDDED_USAGE_DIR
   * unless told otherwise, else nowhere.
   */
  readonly usageDir?: string;
  readonly logger?: (line: string) => void;
}

export interface MongoServer {
  /** For the official drivers, with the credentials: never to be logged. */
  readonly url: string;
  readonly port: number;
  /**
   * Copies the data as it is now into `folder`, made when it is missing, while clients read and write. It holds one
   * file, `data.mdb`.
   */
  backup(folder: string): Promise<void>;
  /**
   * Moves what is live into a new file while clients read and write: of what was deleted before, no byte is left.
   * Answers the bytes freed.
   */
  compact(): Promise<number>;
  /** Stops listening, finishes what is running, closes the data. */
  stop(): Promise<void>;
}

const MAX_CONNECTIONS = 2000;
const STOP_GRACE_MS = 2000;

/** Starts a server on its own data folder. Throws an Error naming the owner's pid when the folder is in use. */
export async function startMongoServer(options: MongoServerOptions = {}): Promise<MongoServer> {
  const { host = '127.0.0.1', maxConnections = MAX_CONNECTIONS, logger = () => undefined } = options;
  if (!isLoopback(host))
    throw new Error(`The embedded MongoDB server has no TLS and listens on loopback addresses only, not on ${host}`);
  const auth = authenticationOf(options.auth);
  const account = auth === 'none' ? undefined : await scramAccount(auth);
  const folder = options.dataDir ?? mkdtempSync(join(tmpdir(), 'embedded-mongodb-'));
  let bound = options.port ?? 0;
  const engine = openEngine({ folder, account, port: () => bound, log: logger });
  const { run, saveUsage } = recording(engine, options.usageDir ?? process.env['EMBEDDED_USAGE_DIR']);
  const clients = new Set<ClientConnection>();
  const server = createServer({ noDelay: true }, (socket) => accept(engine, clients, socket, run));
  server.maxConnections = maxConnections;
  try {
    bound = await listen(server, host, bound);
  } catch (error) {
    await engine.close();
    throw error;
  }
  const stopCompaction = compactRegularly(engine, options.compactEveryMs ?? 0, logger);
  logger(`mongodb listening on ${host}:${bound}, data in ${folder}`);
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stopCompaction();
    const closed = new Promise((resolve) => server.close(resolve));
    await endClients(clients);
    await closed;
    await engine.close();
    if (options.dataDir === undefined) rmSync(folder, { recursive: true, force: true });
    saveUsage();
  };
  return {
    backup: (target) => backUp(engine, target),
    compact: () => engine.storage.compact(),
    url: `mongodb://${userInfo(auth)}${host.includes(':') ? `[${host}]` : host}:${bound}/?directConnection=true`,
    port: bound,
    stop: () => (stopped ??= stop()),
  };
}

/** Runs commands, and notes what they use when there is a folder for it. */
function recording(engine: Engine, folder: string | undefined): { run: Execute; saveUsage: () => void } {
  const usage = folder === undefined ? undefined : new Usage();
  return {
    run: (command, connection) => {
      usage?.add(command);
      return execute(engine, command, connection);
    },
    saveUsage: () => {
      if (folder !== undefined) usage?.save(folder);
    },
  };
}

function compactRegularly(engine: Engine, everyMs: number, logger: (line: string) => void): () => void {
  const compact = async () => `${String(await engine.storage.compact())} bytes freed`;
  const timer = regularly('compaction', everyMs, compact, logger);
  return () => {
    clearInterval(timer);
  };
}

async function backUp(engine: Engine, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await engine.storage.backup(folder);
}

function accept(engine: Engine, clients: Set<ClientConnection>, socket: Socket, run: Execute): void {
  engine.lastConnection += 1;
  const client = new ClientConnection(engine.lastConnection, socket, run, engine.account === undefined);
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
  while ([...clients].some((c) => !c.idle) && performance.now() < until)
    await new Promise((resolve) => setImmediate(resolve));
  for (const client of clients) client.end();
  await new Promise((resolve) => setImmediate(resolve));
  for (const client of clients) client.destroy();
}

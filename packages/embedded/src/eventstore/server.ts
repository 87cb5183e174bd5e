import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Authentication, authenticationOf, userInfo } from '../authentication.js';
import { isLoopback } from '../loopback.js';
import { append } from './rpc/append.js';
import { BatchAppend } from './rpc/batch-append.js';
import { type RpcContext } from './rpc/context.js';
import { deleteStream, tombstone } from './rpc/delete.js';
import { gossipReader, newInstanceId, supportedMethods } from './rpc/node-info.js';
import { read } from './rpc/read.js';
import { regularly } from '../regularly.js';
import { type ScavengeResult } from './storage/scavenge.js';
import { EventStore } from './storage/store.js';
import { basicAuthorization } from './wire/authorization.js';
import { GrpcServer, type Handler } from './wire/grpc-server.js';

const DEFAULT_MAX_APPEND_SIZE = 1024 * 1024;

export interface EventStoreServerOptions {
  /** default 127.0.0.1; loopback addresses only, as there is no TLS */
  readonly host?: string;
  /** 0, the default, takes a free one */
  readonly port?: number;
  /** Whose calls are answered; random credentials, which only `url` carries, unless given. */
  readonly auth?: Authentication;
  /** Folder of the log and its index; without one a temporary folder, removed at `stop`. */
  readonly dataDir?: string;
  readonly logger?: (line: string) => void;
  /**
   * size of one append: bytes of data and metadata, and twice the characters of types; default 1 MiB as on a real node
   */
  readonly maxAppendSize?: number;
  /** size of one event, without a limit as on a real node unless given */
  readonly maxAppendEventSize?: number;
  /** ms between two scavenges; 0, the default: only when `scavenge` is called */
  readonly scavengeEveryMs?: number;
}

export interface EventStoreServer {
  /**
   * Connection string with the credentials: never to be logged. The official client leaves these out without TLS; see
   * SUPPORTED.md.
   */
  readonly url: string;
  readonly port: number;
  /**
   * Physically removes the events of deleted and truncated streams while the server runs. Positions and
   * revisions of all others stay; readers and subscriptions notice nothing.
   */
  scavenge(): Promise<ScavengeResult>;
  /**
   * Copies the log up to what is committed now into `folder`, made when it is missing, while clients read and write.
   * The index is not part of it: the first start makes it again.
   * @returns the log position that the copy ends at
   */
  backup(folder: string): Promise<number>;
  /** Finishes what is being written, ends subscriptions, closes every handle. */
  stop(): Promise<void>;
}

/**
 * Starts a one-machine server that speaks EventStoreDB's gRPC protocol.
 * @throws StoreDamaged naming file and offset, or an error naming the pid of the process that owns `dataDir`
 */
export async function startEventStoreServer(options: EventStoreServerOptions = {}): Promise<EventStoreServer> {
  const { host = '127.0.0.1', logger = (): void => undefined } = options;
  if (!isLoopback(host))
    throw new Error(
      `the embedded EventStoreDB server has no TLS and listens on loopback addresses only, not on ${host}`,
    );
  const auth = authenticationOf(options.auth);
  const { store, closeStore } = await openStore(options.dataDir, logger);
  const { maxAppendSize = DEFAULT_MAX_APPEND_SIZE, maxAppendEventSize = Infinity } = options;
  const context: RpcContext = { store, logger, limits: { maxAppendSize, maxAppendEventSize } };
  let port = 0;
  const server = new GrpcServer(
    handlers(context, () => ({ host, port })),
    basicAuthorization(auth),
    logger,
  );
  try {
    port = await server.listen(host, options.port ?? 0);
  } catch (error) {
    await closeStore();
    throw error;
  }
  const timer = regularly('scavenge', options.scavengeEveryMs ?? 0, () => scavengeSaying(store), logger);
  const close = async (): Promise<void> => {
    clearInterval(timer);
    await server.stop(() => store.idle());
    await closeStore();
  };
  let stopping: Promise<void> | undefined;
  return {
    url: `esdb://${userInfo(auth)}${host.includes(':') ? `[${host}]` : host}:${String(port)}?tls=false`,
    port,
    scavenge: () => store.scavenge(),
    backup: (folder) => store.backup(folder),
    stop: () => (stopping ??= close()),
  };
}

/** Opens the store of a folder, or of a temporary one that goes when it is closed. */
async function openStore(
  dataDir: string | undefined,
  logger: (line: string) => void,
): Promise<{ store: EventStore; closeStore: () => Promise<void> }> {
  const temporary = dataDir === undefined ? await mkdtemp(join(tmpdir(), 'eventstore-')) : undefined;
  const store = await EventStore.open({ dataDir: dataDir ?? temporary ?? '', logger });
  return {
    store,
    async closeStore() {
      await store.close();
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
    },
  };
}

async function scavengeSaying(store: EventStore): Promise<string | undefined> {
  const { events, bytesFreed } = await store.scavenge();
  return events > 0 ? `${String(events)} events removed, ${String(bytesFreed)} bytes freed` : undefined;
}

function handlers(context: RpcContext, address: () => { host: string; port: number }): Map<string, Handler> {
  const streams = '/event_store.client.streams.Streams';
  return new Map<string, Handler>([
    [
      `${streams}/Read`,
      (call) => {
        read(context, call);
      },
    ],
    [
      `${streams}/Append`,
      (call) => {
        append(context, call);
      },
    ],
    [
      `${streams}/BatchAppend`,
      (call) => {
        new BatchAppend(context, call);
      },
    ],
    [
      `${streams}/Delete`,
      (call) => {
        deleteStream(context, call);
      },
    ],
    [
      `${streams}/Tombstone`,
      (call) => {
        tombstone(context, call);
      },
    ],
    ['/event_store.client.server_features.ServerFeatures/GetSupportedMethods', supportedMethods],
    ['/event_store.client.gossip.Gossip/Read', gossipReader(newInstanceId(), address)],
  ]);
}

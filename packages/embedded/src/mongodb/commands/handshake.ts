import { arch, hostname, platform, totalmem } from 'node:os';
import type { Engine } from '../engine.js';
import { ServerError } from '../errors.js';
import { entries, T, type Out } from '../bson/index.js';
import { MAX_DOCUMENT, MAX_MESSAGE, type Command, type Reply } from '../wire.js';
import { helloAuthentication } from './authentication.js';
import type { CommandSpec } from './command.js';
import type { Connection } from '../connection.js';

/** The server version this server answers like. */
export const VERSION = '7.0.0';
const MAX_WIRE_VERSION = 21;
export const MAX_WRITE_BATCH = 100_000;

const hello = (engine: Engine, c: Command, connection: Connection): Reply => {
  const old = c.name !== 'hello';
  return {
    ...(old ? { ismaster: true } : { isWritablePrimary: true }),
    helloOk: true,
    maxBsonObjectSize: MAX_DOCUMENT,
    maxMessageSizeBytes: MAX_MESSAGE,
    maxWriteBatchSize: MAX_WRITE_BATCH,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId: connection.id,
    minWireVersion: 0,
    maxWireVersion: MAX_WIRE_VERSION,
    readOnly: false,
    ...helloAuthentication(engine, c, connection),
  };
};

const buildInfo: Reply = {
  version: VERSION,
  gitVersion: 'embedded',
  modules: [],
  allocator: 'system',
  javascriptEngine: 'none',
  sysInfo: 'deprecated',
  versionArray: [7, 0, 0, 0],
  bits: 64,
  debug: false,
  maxBsonObjectSize: MAX_DOCUMENT,
  storageEngines: ['lmdb'],
};

const PARAMETERS: Readonly<Record<string, Out>> = {
  featureCompatibilityVersion: { version: '7.0' },
  authenticationMechanisms: [],
  logLevel: 0,
};

function getParameter(_engine: Engine, c: Command): Reply {
  const v = c.fields.get('getParameter');
  const all = v?.t === T.string || (v?.t === T.object && entries(v).some(([name]) => name === 'allParameters'));
  const found = Object.entries(PARAMETERS).filter(([name]) => all || c.fields.has(name));
  if (found.length === 0) throw new ServerError(72, 'no option found to get');
  return Object.fromEntries(found);
}

function serverStatus(engine: Engine): Reply {
  const memory = process.memoryUsage();
  return {
    host: `${hostname()}:${engine.port()}`,
    version: VERSION,
    process: 'mongod',
    pid: BigInt(process.pid),
    uptime: { $double: Math.floor((Date.now() - engine.startedAt) / 1000) },
    localTime: new Date(),
    connections: { current: engine.connections },
    mem: { bits: 64, resident: Math.round(memory.rss / 1048576) },
    metrics: { cursor: { open: { total: engine.cursors.count } } },
    storageEngine: { name: 'lmdb', persistent: true },
  };
}

const empty = (): Reply => ({});

const spec = (name: string, run: CommandSpec['run'], more: Partial<CommandSpec> = {}): CommandSpec => ({
  name,
  fields: [],
  run,
  ...more,
});

export const handshakeCommands: readonly CommandSpec[] = [
  spec('hello', hello, { lenient: true, open: true }),
  spec('isMaster', hello, { aliases: ['ismaster'], lenient: true, open: true }),
  spec('ping', empty, { open: true }),
  spec('buildInfo', () => buildInfo, { aliases: ['buildinfo'], open: true }),
  spec('getParameter', getParameter, { lenient: true }),
  spec('serverStatus', serverStatus, { lenient: true }),
  spec('hostInfo', () => ({
    system: { hostname: hostname(), cpuArch: arch(), memSizeMB: Math.round(totalmem() / 1048576) },
    os: { type: platform() },
  })),
  spec('endSessions', empty),
  spec('refreshSessions', empty),
  spec('killSessions', empty),
  spec('startSession', (_e, _c) => ({ id: { id: { $uuid: randomId() } }, timeoutMinutes: 30 })),
  spec('whatsmyuri', () => ({ you: '127.0.0.1:0' }), { open: true }),
  spec('getLog', () => ({ totalLinesWritten: 0, log: [] })),
  spec('getCmdLineOpts', () => ({ argv: ['mongod'], parsed: {} })),
  spec('replSetGetStatus', () => {
    throw new ServerError(76, 'not running with --replSet');
  }),
];

function randomId(): Buffer {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16)));
}

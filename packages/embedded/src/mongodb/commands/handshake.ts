import { arch, hostname, platform, totalmem } from 'node:os';
import type { Engine } from '../engine.js';
import { ServerError } from '../bson/errors.js';
import { T, textOf, truthy, type Elem, type Out } from '../bson/index.js';
import { bool, listOf, notSupported, object, readOptions, ruleTable, text, unsupported } from '../options.js';
import { MAX_DOCUMENT, MAX_MESSAGE, type Command, type Reply } from '../wire.js';
import { helloAuthentication } from './authentication.js';
import type { CommandSpec } from './command.js';
import type { Connection } from '../connection.js';
import { genericRules } from './generic.js';

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

/** Parameters are asked for by fields of their names; any true value asks. */
function getParameter(_engine: Engine, c: Command): Reply {
  const v = c.fields.get('getParameter');
  const all = (v?.t === T.string && textOf(v) === '*') || (v?.t === T.object && isAskedForAll(v));
  const found = Object.entries(PARAMETERS).filter(([name]) => all || c.fields.has(name));
  if (found.length === 0) throw new ServerError(72, 'no option found to get');
  return Object.fromEntries(found);
}

const WHICH = ruleTable({ allParameters: bool, showDetails: unsupported(bool), setAt: notSupported });

const isAskedForAll = (v: Elem): boolean => truthy(readOptions(v, 'getParameter', WHICH).get('allParameters'));

/** What the server tells of itself. Parts are left out by fields of their names that are false. */
function serverStatus(engine: Engine, c: Command): Reply {
  const memory = process.memoryUsage();
  const parts: Reply = {
    connections: { current: engine.connections },
    mem: { bits: 64, resident: Math.round(memory.rss / 1048576) },
    metrics: { cursor: { open: { total: engine.cursors.count } } },
    storageEngine: { name: 'lmdb', persistent: true },
  };
  checkParts(parts, c);
  return {
    host: `${hostname()}:${engine.port()}`,
    version: VERSION,
    process: 'mongod',
    pid: BigInt(process.pid),
    uptime: { $double: Math.floor((Date.now() - engine.startedAt) / 1000) },
    localTime: new Date(),
    ...Object.fromEntries(Object.entries(parts).filter(([name]) => !c.fields.has(name) || truthy(c.fields.get(name)))),
  };
}

const NO_PARTS = new Set(['serverStatus', ...Object.keys(genericRules({}))]);

function checkParts(parts: Reply, c: Command): void {
  for (const [name, v] of c.fields)
    if (truthy(v) && !(name in parts) && !NO_PARTS.has(name)) notSupported(v, c.name, name);
}

function getLog(_engine: Engine, c: Command): Reply {
  const v = c.fields.get('getLog') as Elem;
  const name = textOf(v);
  if (name === '*') return { names: LOGS };
  if (!LOGS.includes(name)) throw new ServerError(96, `No log named '${name}'`);
  return { totalLinesWritten: 0, log: [] };
}

const LOGS = ['global', 'startupWarnings'];

const empty = (): Reply => ({});

const spec = (name: string, run: CommandSpec['run'], more: Partial<CommandSpec> = {}): CommandSpec => ({
  name,
  options: {},
  run,
  ...more,
});

/**
 * Clients ask for more here than servers know, and see in the answer what they get. What would hold up the answer is
 * refused.
 */
const HELLO = {
  topologyVersion: notSupported,
  maxAwaitTimeMS: notSupported,
  internalClient: notSupported,
  loadBalanced: unsupported(bool),
  // A refused handshake is no answer to a client: it would try for half a minute. Its next command tells it at once.
  apiStrict: bool,
  saslSupportedMechs: text,
  speculativeAuthenticate: object,
  client: object,
  compression: listOf(text),
  helloOk: bool,
  hostInfo: text,
};

export const handshakeCommands: readonly CommandSpec[] = [
  spec('hello', hello, { options: HELLO, lenient: true, open: true }),
  spec('isMaster', hello, { options: HELLO, aliases: ['ismaster'], lenient: true, open: true }),
  spec('ping', empty, { open: true }),
  spec('buildInfo', () => buildInfo, { aliases: ['buildinfo'], open: true }),
  spec('getParameter', getParameter, { lenient: true }),
  spec('serverStatus', serverStatus, { lenient: true }),
  spec('hostInfo', () => ({
    system: { hostname: hostname(), cpuArch: arch(), memSizeMB: Math.round(totalmem() / 1048576) },
    os: { type: platform() },
  })),
  spec('whatsmyuri', () => ({ you: '127.0.0.1:0' }), { open: true }),
  spec('getLog', getLog, { value: text }),
  spec('getCmdLineOpts', () => ({ argv: ['mongod'], parsed: {} })),
  spec('replSetGetStatus', () => {
    throw new ServerError(76, 'not running with --replSet');
  }),
];

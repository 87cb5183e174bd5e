import type { Connection } from '../connection.js';
import type { Engine } from '../engine.js';
import { ServerError } from '../bson/errors.js';
import { beginScram } from '../scram.js';
import { findField, T, textOf, truthy, type Elem, type Out } from '../bson/index.js';
import { anything, bool, int32, object, readOptions, ruleTable, text, unsupported, type Rule } from '../options.js';
import type { Command, Reply } from '../wire.js';
import { numberField, textField, type CommandSpec } from './command.js';

const MECHANISM = 'SCRAM-SHA-256';
/** The database in which the one user is. */
const DATABASE = 'admin';
const CONVERSATION = 1;
const LONGEST_PAYLOAD = 4_096;
const SKIP_EMPTY = Buffer.from('skipEmptyExchange');

const failed = (): ServerError => new ServerError(18, 'Authentication failed.');

/** Refuses what only authenticated clients may do. @throws ServerError Unauthorized (13) */
export function requireAuthentication(engine: Engine, spec: CommandSpec, connection: Connection): void {
  if (engine.account === undefined || connection.isAuthenticated || spec.open === true) return;
  throw new ServerError(13, `Command ${spec.name} requires authentication`);
}

function saslStart(engine: Engine, c: Command, connection: Connection): Reply {
  connection.exchange = undefined;
  const mechanism = textField(c, 'mechanism');
  const payload = payloadOf(c);
  if (mechanism !== MECHANISM)
    throw new ServerError(334, `Received authentication for mechanism ${mechanism} which is unknown or not enabled`);
  if (engine.account === undefined || c.db !== DATABASE) throw failed();
  const exchange = beginScram(engine.account, payload);
  if (exchange === undefined) throw failed();
  const options = c.fields.get('options');
  const isShort = options?.t === T.object && truthy(findField(options.b, options.s, SKIP_EMPTY));
  connection.exchange = { finish: (text) => exchange.finish(text), isShort, isProven: false };
  return answer(false, exchange.serverFirst);
}

function saslContinue(_engine: Engine, c: Command, connection: Connection): Reply {
  const { exchange } = connection;
  const payload = payloadOf(c);
  if (exchange === undefined) throw new ServerError(17, 'No SASL session state found');
  connection.exchange = undefined;
  if (numberField(c, 'conversationId') !== CONVERSATION) throw new ServerError(17, 'sasl: Mismatched conversation id');
  if (exchange.isProven) {
    connection.isAuthenticated = true;
    return answer(true, '');
  }
  const proof = exchange.finish(payload);
  if (proof === undefined) throw failed();
  if (exchange.isShort) connection.isAuthenticated = true;
  else connection.exchange = { ...exchange, isProven: true };
  return answer(exchange.isShort, proof);
}

function answer(done: boolean, payload: string): Reply {
  return { conversationId: CONVERSATION, done, payload: { $binary: Buffer.from(payload) } };
}

/** The message of the mechanism, as binary data or text. */
function payloadOf(c: Command): string {
  const v = c.fields.get('payload');
  if (v?.t !== T.binary && v?.t !== T.string)
    throw new ServerError(14, "BSON field 'payload' is the wrong type, expected types '[binData, string]'");
  const text = v.t === T.string ? textOf(v) : v.b.toString('utf8', v.s + 5, v.e);
  if (text.length > LONGEST_PAYLOAD) throw failed();
  return text;
}

/**
 * What a `hello` asks about authentication: mechanisms of a user, and the first message of an exchange, which saves a
 * round trip.
 */
export function helloAuthentication(engine: Engine, c: Command, connection: Connection): Record<string, Out> {
  if (engine.account === undefined) return {};
  const first = c.fields.get('speculativeAuthenticate');
  return {
    // The same whoever is named: which users there are is nobody's business.
    ...(c.fields.has('saslSupportedMechs') ? { saslSupportedMechs: [MECHANISM] } : {}),
    ...(first?.t === T.object ? speculative(engine, first, connection) : {}),
  };
}

/** A first message that is refused is left without an answer, and the client begins in the usual way. */
function speculative(engine: Engine, first: Elem, connection: Connection): Record<string, Out> {
  try {
    const fields = readOptions(first, 'speculativeAuthenticate', SPECULATIVE);
    const db = fields.get('db');
    const command = { name: 'saslStart', db: db === undefined ? '' : textOf(db), fields, sequences: new Map() };
    return { speculativeAuthenticate: saslStart(engine, command, connection) };
  } catch (error) {
    if (error instanceof ServerError) return {};
    throw error;
  }
}

function logout(_engine: Engine, c: Command, connection: Connection): Reply {
  if (c.db === DATABASE) connection.isAuthenticated = false;
  return {};
}

function connectionStatus({ account }: Engine, _c: Command, { isAuthenticated }: Connection): Reply {
  const known = account !== undefined && isAuthenticated;
  return {
    authInfo: {
      authenticatedUsers: known ? [{ user: account.user, db: DATABASE }] : [],
      authenticatedUserRoles: known ? [{ role: 'root', db: DATABASE }] : [],
    },
  };
}

const SASL_OPTIONS = ruleTable({ skipEmptyExchange: bool });

const saslOptions: Rule = (v, struct, name) => {
  object(v, struct, name);
  readOptions(v, `${struct}.${name}`, SASL_OPTIONS);
};

const SASL_START = {
  mechanism: text,
  payload: anything,
  // Without effect on the real server, too: there is one user, who has to authenticate.
  autoAuthorize: anything,
  options: saslOptions,
};

/** What a `saslStart` holds that comes within a `hello`: it names its database itself. */
const SPECULATIVE = ruleTable({ saslStart: anything, db: text, ...SASL_START });

export const authenticationCommands: readonly CommandSpec[] = [
  { name: 'saslStart', options: SASL_START, open: true, run: saslStart },
  { name: 'saslContinue', options: { conversationId: int32, payload: anything }, open: true, run: saslContinue },
  { name: 'logout', options: {}, open: true, run: logout },
  { name: 'connectionStatus', options: { showPrivileges: unsupported(bool) }, open: true, run: connectionStatus },
];

import { findField, items, numberOf, T, textOf, type Elem } from '../bson/index.js';
import { badValue, failedToParse, ServerError } from '../bson/errors.js';
import {
  anything,
  array,
  bool,
  int32,
  listOf,
  maxTimeMS,
  missingOption,
  number,
  object,
  readOptions,
  ruleTable,
  text,
  unsupported,
  wrongType,
  type Rule,
  type Rules,
} from '../options.js';
import { localReadConcern, noWriteConcern, readConcern, writeConcern } from './concerns.js';

const UUID_BYTES = 16;

const uuid: Rule = (v, struct, name) => {
  if (v.t !== T.binary || v.b[v.s + 4] !== 4 || v.e - v.s - 5 !== UUID_BYTES)
    throw wrongType(v, struct, name, "type 'UUID'");
};

const SESSION = ruleTable({ id: uuid, uid: anything });

/** How `{ id: <UUID> }` begins, up to the bytes of the UUID, as every command of a driver brings it. */
const USUAL_SESSION = Buffer.from([30, 0, 0, 0, T.binary, 0x69, 0x64, 0, UUID_BYTES, 0, 0, 0, 4]);

/** The id of a session. */
export const session: Rule = (v, struct, name) => {
  if (v.t === T.object && USUAL_SESSION.compare(v.b, v.s, v.s + USUAL_SESSION.length) === 0) return;
  object(v, struct, name);
  const where = `${struct}.${name}`;
  if (!readOptions(v, where, SESSION).has('id')) throw missingOption(where, 'id');
};

export const sessions = listOf(session);

/** The bytes by which a session is known. */
export function sessionKey(v: Elem): string {
  const id = findField(v.b, v.s, ID);
  return id === undefined ? '' : id.b.toString('latin1', id.s, id.e);
}

const ID = Buffer.from('id');

const transaction: Rule = () => {
  throw new ServerError(20, 'Transaction numbers are only allowed on a replica set member or mongos');
};

const apiVersion: Rule = (v, struct, name) => {
  text(v, struct, name);
  if (textOf(v) !== '1') throw new ServerError(322, 'API version must be "1"');
};

const MODES = ['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest'];

const mode: Rule = (v, struct, name) => {
  text(v, struct, name);
  if (MODES.includes(textOf(v))) return;
  throw failedToParse(
    `Could not parse $readPreference mode '${textOf(v)}'. Only the modes '${MODES.join("', '")}' are supported.`,
  );
};

const READ_PREFERENCE = ruleTable({ mode, tags: array, maxStalenessSeconds: number, hedge: object });

/** A cache of the bytes of valid preferences: drivers send the same one with every command. */
const preferenceCache = new Set<string>();
const MOST_CACHED = 50;
const LONGEST_CACHED = 200;

/** Of one server nothing can be preferred, but what is sent has to be a preference. */
const readPreference: Rule = (v, struct, name) => {
  object(v, struct, name);
  const bytes = v.e - v.s > LONGEST_CACHED ? undefined : v.b.toString('latin1', v.s, v.e);
  if (bytes !== undefined && preferenceCache.has(bytes)) return;
  const given = readOptions(v, name, READ_PREFERENCE);
  const preferred = given.get('mode');
  if (preferred === undefined) throw missingOption(name, 'mode');
  if (textOf(preferred) === MODES[0]) checkPrimary(given);
  if (bytes !== undefined && preferenceCache.size < MOST_CACHED) preferenceCache.add(bytes);
};

/** There is one primary at a time, so nothing narrows down the choice of it. */
function checkPrimary(given: ReadonlyMap<string, Elem>): void {
  const tags = given.get('tags');
  if (tags !== undefined && items(tags).some(({ t, b, s }) => t !== T.object || b[s + 4] !== 0))
    throw badValue('Only empty tags are allowed with primary read preference');
  if ((numberOf(given.get('maxStalenessSeconds')) ?? 0) > 0)
    throw badValue('maxStalenessSeconds can not be set for the primary mode');
}

const ALWAYS: Rules = {
  $db: text,
  $readPreference: readPreference,
  // There is no cluster whose time could be told.
  $clusterTime: object,
  lsid: session,
  comment: anything,
  maxTimeMS,
  // As there are no transaction numbers, the number of a statement says nothing.
  stmtId: int32,
  txnNumber: transaction,
  autocommit: transaction,
  startTransaction: transaction,
  apiVersion,
  apiStrict: unsupported(bool),
  // No command of the first version is deprecated.
  apiDeprecationErrors: bool,
};

/** What a command does with concerns. */
export interface Concerns {
  /** Whether it takes other read concerns than `local`. */
  readonly reads?: boolean;
  readonly writes?: boolean;
}

/** The options that every command takes. */
export const genericRules = ({ reads, writes }: Concerns): Rules => ({
  ...ALWAYS,
  readConcern: reads === true ? readConcern : localReadConcern,
  writeConcern: writes === true ? writeConcern : noWriteConcern,
});

/** Refuses generic options that need one another. */
export function checkCombination(fields: ReadonlyMap<string, Elem>): void {
  if (fields.has('apiVersion') || !(fields.has('apiStrict') || fields.has('apiDeprecationErrors'))) return;
  throw new ServerError(4886600, 'Provided apiStrict and/or apiDeprecationErrors without passing apiVersion');
}

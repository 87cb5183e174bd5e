import type { Connection } from '../connection.js';
import type { Engine } from '../engine.js';
import { ServerError } from '../errors.js';
import { bytesOf, inspect, isNumber, items, numberOf, T, textOf, truthy, typeName, type Elem } from '../bson/index.js';
import type { Command, Reply } from '../wire.js';

/** A command of the server: its name(s), the fields it takes, and what it does. */
export interface CommandSpec {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly fields: readonly string[];
  /** Accepts whatever else a client sends, as the server's handshake commands do. */
  readonly lenient?: boolean;
  /** Whether clients may send it before they have authenticated, as on the real server. */
  readonly open?: boolean;
  run(engine: Engine, command: Command, connection: Connection): Reply | Promise<Reply>;
}

/** Fields that every command takes. */
const GENERIC_FIELDS: ReadonlySet<string> = new Set([
  '$db',
  '$readPreference',
  '$clusterTime',
  'lsid',
  'comment',
  'maxTimeMS',
  'readConcern',
  'writeConcern',
  'txnNumber',
  'autocommit',
  'startTransaction',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
]);

const wrongType = (where: string, v: Elem, expected: string): ServerError =>
  new ServerError(14, `BSON field '${where}' is the wrong type '${typeName(v.t)}', expected type '${expected}'`);

/** A required text field. */
export function textField(c: Command, name: string): string {
  const v = c.fields.get(name);
  if (v === undefined) throw new ServerError(40414, `BSON field '${c.name}.${name}' is missing but a required field`);
  if (v.t !== T.string) throw wrongType(`${c.name}.${name}`, v, 'string');
  return textOf(v);
}

/** An optional number field. */
export function numberField(c: Command, name: string): number | undefined {
  const v = c.fields.get(name);
  if (v === undefined || v.t === T.null) return undefined;
  if (!isNumber(v.t))
    throw new ServerError(
      14,
      `BSON field '${c.name}.${name}' is the wrong type '${typeName(v.t)}', expected types '[long, int, decimal, double]'`,
    );
  return numberOf(v);
}

/** A number that must not be negative; 51024 as the server says it. */
export function sizeField(c: Command, name: string): number | undefined {
  const n = numberField(c, name);
  if (n !== undefined && n < 0)
    throw new ServerError(51024, `BSON field '${name}' value must be >= 0, actual value '${n}'`);
  return n;
}

export const flag = (c: Command, name: string): boolean => truthy(c.fields.get(name));

/** A document-valued field, or undefined. */
export function objectField(c: Command, name: string): Elem | undefined {
  const v = c.fields.get(name);
  if (v !== undefined && v.t !== T.object) throw wrongType(`${c.name}.${name}`, v, 'object');
  return v;
}

/** The documents of a field that may come as a sequence or inside the body. */
export function documentsOf(c: Command, name: string): readonly Buffer[] {
  const sequence = c.sequences.get(name);
  if (sequence !== undefined) return sequence;
  const v = c.fields.get(name);
  if (v === undefined) throw new ServerError(40414, `BSON field '${c.name}.${name}' is missing but a required field`);
  if (v.t !== T.array) throw wrongType(`${c.name}.${name}`, v, 'array');
  return items(v).map((item, i) => {
    if (item.t !== T.object) throw wrongType(`${c.name}.${name}.${i}`, item, 'object');
    return bytesOf(item);
  });
}

/** The collection a command names as its own value, checked. */
export function collectionName(c: Command): string {
  const v = c.fields.get(c.name);
  if (v?.t !== T.string)
    throw new ServerError(73, `collection name has invalid type ${v === undefined ? 'missing' : typeName(v.t)}`);
  const name = textOf(v);
  checkName(c.db, name);
  return name;
}

/** Throws InvalidNamespace for names the server would not take. */
export function checkName(db: string, name: string): void {
  if (db === '' || db.length > 63 || /[/\\. "$\0]/.test(db))
    throw new ServerError(73, `Invalid namespace specified '${db}.${name}'`);
  if (name === '' || name.startsWith('.') || /[$\0]/.test(name) || db.length + name.length > 254) {
    throw new ServerError(73, `Invalid namespace specified '${db}.${name}'`);
  }
}

const SIMPLE = 'simple';

/** Only the simple collation exists here; others are refused like a locale the server does not know. */
export function checkCollation(v: Elem | undefined): void {
  if (v === undefined) return;
  const locale = v.t === T.object ? items(v)[0] : undefined;
  if (locale?.t === T.string && textOf(locale) === SIMPLE) return;
  throw new ServerError(2, `Field 'locale' is invalid in: ${inspect(v)}`);
}

/** What a standalone server refuses in any command, and unknown fields. */
export function checkFields(spec: CommandSpec, c: Command): void {
  if (c.fields.has('txnNumber') || c.fields.has('startTransaction') || c.fields.has('autocommit')) {
    throw new ServerError(20, 'Transaction numbers are only allowed on a replica set member or mongos');
  }
  if (spec.lenient !== true) {
    for (const name of c.fields.keys()) {
      if (name === c.name || GENERIC_FIELDS.has(name) || spec.fields.includes(name)) continue;
      throw new ServerError(40415, `BSON field '${c.name}.${name}' is an unknown field.`);
    }
  }
  checkCollation(c.fields.get('collation'));
  checkReadConcern(c.fields.get('readConcern'));
}

function checkReadConcern(v: Elem | undefined): void {
  if (v?.t !== T.object) return;
  const level = items(v)[0];
  if (level?.t !== T.string) return;
  const name = textOf(level);
  if (name === 'snapshot')
    throw new ServerError(246, 'node needs to be a replica set member to use readConcern: snapshot');
  if (name === 'linearizable') throw new ServerError(148, 'node needs to be a replica set member to use read concern');
}

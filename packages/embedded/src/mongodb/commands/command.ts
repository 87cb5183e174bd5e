import type { Connection } from '../connection.js';
import type { Engine } from '../engine.js';
import { ServerError } from '../bson/errors.js';
import { bytesOf, findField, items, T, textOf, truthy, typeName } from '../bson/index.js';
import {
  anything,
  isAbsent,
  missingOption,
  ruleTable,
  unknownOption,
  wholeNumber,
  wrongType,
  type Rule,
  type Rules,
  type RuleTable,
} from '../options.js';
import type { Command, Reply } from '../wire.js';
import { checkCombination, genericRules, type Concerns } from './generic.js';

/** A command of the server: its name(s), the options it takes, and what it does. */
export interface CommandSpec extends Concerns {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** The options it takes besides those of all commands. */
  readonly options: Rules;
  /** The value of its own field; anything unless told otherwise. */
  readonly value?: Rule;
  /** The options whose documents may come beside the body of the message. */
  readonly sequences?: readonly string[];
  /** Accepts whatever else a client sends, as the server's handshake commands do. */
  readonly lenient?: boolean;
  /** Whether clients may send it before they have authenticated, as on the real server. */
  readonly open?: boolean;
  run(engine: Engine, command: Command, connection: Connection): Reply | Promise<Reply>;
}

/** A command with all its options made ready for looking them up. */
export interface PreparedCommand {
  readonly spec: CommandSpec;
  readonly rules: RuleTable;
}

export function prepare(spec: CommandSpec): PreparedCommand {
  const value = spec.value ?? anything;
  const names = [spec.name, ...(spec.aliases ?? [])];
  return {
    spec,
    rules: ruleTable({
      ...genericRules(spec),
      ...spec.options,
      ...Object.fromEntries(names.map((name) => [name, value])),
    }),
  };
}

/**
 * Checks every option of a command. An option that is null is as good as not given, so the answer is the command
 * without it.
 * @throws 40415 for an option that the command does not take, and what the rule of an option says
 */
export function checkOptions({ spec, rules }: PreparedCommand, c: Command): Command {
  let hasNull = false;
  for (const [name, v] of c.fields) {
    const rule = rules.get(name);
    if (rule === undefined) {
      if (spec.lenient === true) continue;
      throw unknownOption(spec.name, name);
    }
    if (isAbsent(v) && name !== c.name) hasNull = true;
    else rule(v, spec.name, name);
  }
  for (const name of c.sequences.keys()) {
    if (spec.sequences?.includes(name) !== true) throw unknownOption(spec.name, name);
    if (c.fields.has(name)) throw new ServerError(40413, `BSON field '${spec.name}.${name}' is a duplicate field`);
  }
  checkCombination(c.fields);
  return hasNull ? { ...c, fields: new Map([...c.fields].filter(([name, v]) => name === c.name || !isAbsent(v))) } : c;
}

/** A required text field. */
export function textField(c: Command, name: string): string {
  const v = c.fields.get(name);
  if (v === undefined) throw missingOption(c.name, name);
  if (v.t !== T.string) throw wrongType(v, c.name, name, "type 'string'");
  return textOf(v);
}

/** An optional field whose rule says that it is a number. */
export function numberField(c: Command, name: string): number | undefined {
  const v = c.fields.get(name);
  return v === undefined ? undefined : wholeNumber(v);
}

/** The time a command may take, in ms; undefined when there is no limit. */
export const timeLimit = (c: Command): number | undefined => numberField(c, 'maxTimeMS');

export const isSet = (c: Command, name: string): boolean => truthy(c.fields.get(name));

/** The documents of a field that may come as a sequence or inside the body. */
export function documentsOf(c: Command, name: string): readonly Buffer[] {
  const sequence = c.sequences.get(name);
  if (sequence !== undefined) return sequence;
  const v = c.fields.get(name);
  if (v === undefined) throw missingOption(c.name, name);
  return items(v).map(bytesOf);
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

/**
 * How many documents the first batch of an answer may hold, by its `cursor` option; undefined when that does not say.
 */
export function batchSizeOf(c: Command): number | undefined {
  const cursor = c.fields.get('cursor');
  const v = cursor === undefined ? undefined : findField(cursor.b, cursor.s, BATCH_SIZE);
  return v === undefined || isAbsent(v) ? undefined : wholeNumber(v);
}

const BATCH_SIZE = Buffer.from('batchSize');

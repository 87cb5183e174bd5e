import { inspect, isNumber, items, numberOf, Reader, T, textOf, truthy, typeName, type Elem } from './bson/index.js';
import { badValue, failedToParse, ServerError } from './bson/errors.js';

/**
 * Checks the value of one option; `struct` and `name` say where it stands. @throws ServerError as the real server does
 */
export type Rule = (v: Elem, struct: string, name: string) => void;

/** The options that something takes, by name. */
export type Rules = Readonly<Record<string, Rule>>;

/** The same, made ready for looking options up. */
export type RuleTable = ReadonlyMap<string, Rule>;

export const ruleTable = (rules: Rules): RuleTable => new Map(Object.entries(rules));

const NUMBER_TYPES = "types '[long, int, decimal, double]'";

export const wrongType = (v: Elem, struct: string, name: string, expected: string): ServerError =>
  new ServerError(14, `BSON field '${struct}.${name}' is the wrong type '${typeName(v.t)}', expected ${expected}`);

export const unknownOption = (struct: string, name: string): ServerError =>
  new ServerError(40415, `BSON field '${struct}.${name}' is an unknown field.`);

const duplicateOption = (struct: string, name: string): ServerError =>
  new ServerError(40413, `BSON field '${struct}.${name}' is a duplicate field`);

export const missingOption = (struct: string, name: string): ServerError =>
  new ServerError(40414, `BSON field '${struct}.${name}' is missing but a required field`);

/** An explicit null stands for an option that is not given. */
export const isAbsent = (v: Elem): boolean => v.t === T.null || v.t === T.undefined;

/**
 * Reads the options of an object, each checked by its rule. Options that are null are left out.
 * @throws 40415 for one that is not in the table, 40413 for one that is given twice, and what the rules say
 */
export function readOptions(v: Elem, struct: string, table: RuleTable): Map<string, Elem> {
  const given = new Map<string, Elem>();
  const r = new Reader(v.b, v.s);
  while (r.next()) {
    const name = r.name;
    const rule = table.get(name);
    if (rule === undefined) throw unknownOption(struct, name);
    if (given.has(name)) throw duplicateOption(struct, name);
    const value = r.elem();
    if (isAbsent(value)) continue;
    rule(value, struct, name);
    given.set(name, value);
  }
  return given;
}

const ofType =
  (t: number): Rule =>
  (v, struct, name) => {
    if (v.t !== t) throw wrongType(v, struct, name, `type '${typeName(t)}'`);
  };

export const text = ofType(T.string);
export const object = ofType(T.object);
export const array = ofType(T.array);
export const bool = ofType(T.bool);
export const int32 = ofType(T.int32);
export const int64 = ofType(T.int64);

export const anything: Rule = () => undefined;

export const number: Rule = (v, struct, name) => {
  if (!isNumber(v.t)) throw wrongType(v, struct, name, NUMBER_TYPES);
};

/** A truth value, which may be given as a number. */
export const flag: Rule = (v, struct, name) => {
  if (v.t !== T.bool && !isNumber(v.t)) throw wrongType(v, struct, name, "types '[bool, long, int, decimal, double]'");
};

/** A number that is not below `least`. */
export const atLeast =
  (least: number): Rule =>
  (v, struct, name) => {
    number(v, struct, name);
    const n = wholeNumber(v);
    if (n < least) throw new ServerError(51024, `BSON field '${name}' value must be >= ${least}, actual value '${n}'`);
  };

export const size = atLeast(0);

/** A number as the server takes whole numbers: what is behind the point is cut off, and NaN is zero. */
export const wholeNumber = (v: Elem): number => Math.trunc(numberOf(v) ?? 0) || 0;

export const listOf =
  (rule: Rule): Rule =>
  (v, struct, name) => {
    array(v, struct, name);
    items(v).forEach((item, i) => rule(item, struct, `${name}.${i}`));
  };

export const both =
  (first: Rule, second: Rule): Rule =>
  (v, struct, name) => {
    first(v, struct, name);
    second(v, struct, name);
  };

export const hint: Rule = (v) => {
  if (v.t !== T.string && v.t !== T.object) throw failedToParse('Hint must be a string or an object');
};

const isFilled = (v: Elem): boolean => (v.t === T.object || v.t === T.array ? items(v).length > 0 : truthy(v));

/** An option of the real server that this one does not have: an empty or a false one asks for nothing and is taken. */
export const unsupported =
  (rule: Rule): Rule =>
  (v, struct, name) => {
    rule(v, struct, name);
    if (isFilled(v)) throw notImplemented(struct, name);
  };

/** An option of the real server that this one does not have, whatever its value. */
export const notSupported: Rule = (_v, struct, name) => {
  throw notImplemented(struct, name);
};

const notImplemented = (struct: string, name: string): ServerError =>
  new ServerError(238, `The option '${struct}.${name}' is not supported by this server`);

const MOST_MS = 2 ** 31 - 1;

export const maxTimeMS: Rule = (v, _struct, name) => {
  const n = numberOf(v);
  if (n === undefined) throw badValue(`${name} must be a number`);
  if (!(n >= 0 && n <= MOST_MS)) throw badValue(`${n} value for ${name} is out of range`);
  if (!Number.isInteger(n)) throw badValue(`${name} has non-integral value`);
};

const SIMPLE = 'simple';
const COLLATION = ruleTable({
  locale: text,
  caseLevel: bool,
  caseFirst: text,
  strength: number,
  numericOrdering: bool,
  alternate: text,
  maxVariable: text,
  normalization: bool,
  backwards: bool,
  version: text,
});

/** Only the simple collation exists here; others are refused like a locale that the real server does not know. */
export const collation: Rule = (v, struct, name) => {
  object(v, struct, name);
  const given = readOptions(v, name, COLLATION);
  if (given.size === 0) return;
  const locale = given.get('locale');
  if (locale === undefined) throw missingOption(name, 'locale');
  if (textOf(locale) !== SIMPLE) throw badValue(`Field 'locale' is invalid in: ${inspect(v)}`);
  if (given.size > 1) throw failedToParse(`If locale=simple, no other fields should be present in: ${inspect(v)}`);
};

const CURSOR = ruleTable({ batchSize: size });

/** The `cursor` option of commands whose answer comes in batches. */
export const cursor: Rule = (v, struct, name) => {
  object(v, struct, name);
  readOptions(v, name, CURSOR);
};

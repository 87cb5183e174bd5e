import { badValue, failedToParse, ServerError, typeMismatch } from '../bson/errors.js';
import {
  bytesOf,
  docElem,
  entries,
  inspect,
  isNumber,
  numberOf,
  T,
  textOf,
  toBson,
  truthy,
  typeName,
  type Elem,
} from '../bson/index.js';
import { collation, type Rule } from '../options.js';
import { checkPartialFilter } from '../filter/partial-filter.js';

const cannotCreate = (message: string): ServerError => new ServerError(67, message);

const ofType =
  (t: number, named: string): Rule =>
  (v, _struct, name) => {
    if (v.t !== t) throw typeMismatch(`The field '${name}' must be ${named}, but got ${typeName(v.t)}`);
  };

const object = ofType(T.object, 'an object');

/** A truth value, which may be given as a number. */
const flag: Rule = (v, _struct, name) => {
  if (v.t !== T.bool && !isNumber(v.t))
    throw typeMismatch(`The field '${name}' has value ${name}: ${inspect(v)}, which is not convertible to bool`);
};

const version: Rule = (v, struct, name) => {
  if (!isNumber(v.t)) throw typeMismatch(`The field '${name}' must be a number, but got ${typeName(v.t)}`);
  const n = numberOf(v) ?? NaN;
  if (n === 2) return;
  if (!Number.isInteger(n) || Math.abs(n) > 2 ** 31 - 1)
    throw badValue(`Index version must be representable as a 32-bit integer, but got ${inspect(v)}`);
  if (n === 1) throw new ServerError(238, 'Indexes of version 1 are not supported by this server');
  throw cannotCreate(`Invalid index specification ${struct}; cannot create an index with v=${n}`);
};

const indexName: Rule = (v, struct, name) => {
  ofType(T.string, 'a string')(v, struct, name);
  if (textOf(v) === '') throw cannotCreate('index name cannot be empty');
  if (textOf(v) === '*') throw badValue("The index name '*' is not valid.");
};

const partial: Rule = (v, struct, name) => {
  object(v, struct, name);
  checkPartialFilter(v);
};

const indexCollation: Rule = (v, struct, name) => {
  object(v, struct, name);
  if (v.b[v.s + 4] === 0) throw badValue(`The field '${name}' cannot be an empty object.`);
  collation(v, struct, name);
};

const unsupported: Rule = (_v, _struct, name) => {
  throw new ServerError(238, `The index option '${name}' is not supported by this server`);
};

const MOST_KEY_BYTES = 2048;
const MOST_FIELDS = 32;

const checkKey: Rule = (key, struct, name) => {
  object(key, struct, name);
  const all = entries(key);
  if (bytesOf(key).length > MOST_KEY_BYTES) throw cannotCreate('Index key pattern too large.');
  if (all.length === 0) throw cannotCreate('Index keys cannot be an empty object');
  if (all.length > MOST_FIELDS) throw new ServerError(13103, 'too many compound keys');
  for (const [i, [path, v]] of all.entries()) {
    if (all.findIndex(([other]) => other === path) < i)
      throw badValue(`The field '${path}' appears multiple times in the index key pattern ${inspect(key)}`);
    if (v.t === T.string) throw cannotCreate(`Unknown index plugin '${textOf(v)}'`);
    if (!isNumber(v.t) || !(Math.abs(numberOf(v) ?? 0) > 0))
      throw cannotCreate(
        `Values in v:2 index key pattern cannot be of type ${inspect(v)}. Only numbers > 0, numbers < 0, and strings are allowed.`,
      );
    if (path.split('.').some((part) => part === '' || part.startsWith('$')))
      throw cannotCreate(`Index key contains an illegal field name: '${path}'`);
  }
};

const UNSUPPORTED = [
  'expireAfterSeconds',
  'storageEngine',
  'weights',
  'default_language',
  'language_override',
  'textIndexVersion',
  '2dsphereIndexVersion',
  'bits',
  'min',
  'max',
  'bucketSize',
  'wildcardProjection',
  'columnstoreProjection',
  'columnstoreCompressor',
  'coarsestIndexedLevel',
  'finestIndexedLevel',
  'dropDups',
  'originalSpec',
  'clustered',
  'prepareUnique',
];

/** The options of an index, by name. */
export const indexRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['key', checkKey],
  ['name', indexName],
  ['v', version],
  ['unique', flag],
  ['sparse', flag],
  ['hidden', ofType(T.bool, 'a bool')],
  ['partialFilterExpression', partial],
  ['collation', indexCollation],
  // An index is complete when it has been created, so there is nothing to be done in the background.
  ['background', flag],
  // Without effect on the real server, too.
  ['ns', ofType(T.string, 'a string')],
  ...UNSUPPORTED.map((name): [string, Rule] => [name, unsupported]),
]);

/** What the index of the `_id` may be described by. */
const ID_OPTIONS = ['key', 'name', 'v', 'ns', 'collation'];

/** Checks one index specification and writes it the way listIndexes shows it. Throws CannotCreateIndex and its like. */
export function normalizeSpec(doc: Buffer): Buffer {
  const described = docElem(doc);
  const given = readSpecification(described);
  const key = given.get('key');
  const name = given.get('name');
  if (key === undefined) throw failedToParse("The 'key' field is a required property of an index specification");
  if (name === undefined) throw failedToParse("The 'name' field is a required property of an index specification");
  if (entries(key).length === 1 && entries(key)[0]?.[0] === '_id') checkIdIndex(key, given, described);
  const sparse = truthy(given.get('sparse'));
  const filter = given.get('partialFilterExpression');
  if (sparse && filter !== undefined) throw cannotCreate('cannot mix "partialFilterExpression" and "sparse" options');
  return toBson({
    v: 2,
    ...(truthy(given.get('unique')) ? { unique: true } : {}),
    key,
    name,
    ...(truthy(given.get('hidden')) ? { hidden: true } : {}),
    ...(sparse ? { sparse: true } : {}),
    ...(filter === undefined ? {} : { partialFilterExpression: filter }),
  });
}

function readSpecification(described: Elem): Map<string, Elem> {
  const given = new Map<string, Elem>();
  for (const [name, v] of entries(described)) {
    const rule = indexRules.get(name);
    if (rule === undefined || given.has(name))
      throw new ServerError(
        197,
        `The field '${name}' is not valid for an index specification. Specification: ${inspect(described)}`,
      );
    rule(v, inspect(described), name);
    given.set(name, v);
  }
  return given;
}

function checkIdIndex(key: Elem, given: ReadonlyMap<string, Elem>, described: Elem): void {
  if (numberOf(entries(key)[0]?.[1]) !== 1)
    throw badValue(`The field 'key' for an _id index must be {_id: 1}, but got ${inspect(key)}`);
  const other = [...given.keys()].find((name) => !ID_OPTIONS.includes(name));
  if (other !== undefined)
    throw new ServerError(
      197,
      `The field '${other}' is not valid for an _id index specification. Specification: ${inspect(described)}`,
    );
}

import { entries, inspect, isNumber, items, numberOf, T, textOf, truthy, typeName, type Elem } from '../bson/index.js';
import { badValue, failedToParse, ServerError, typeMismatch } from '../bson/errors.js';
import { anything, flag, readOptions, ruleTable, text, type Rule } from '../options.js';

const MAJORITY = 'majority';
const MOST_NODES = 50;
const SOURCES = ['clientSupplied', 'implicitDefault', 'customDefault', 'getLastErrorDefaults', 'internalWriteDefault'];

const provenance: Rule = (v, struct, name) => {
  text(v, struct, name);
  if (!SOURCES.includes(textOf(v)))
    throw badValue(`Enumeration value '${textOf(v)}' for field '${struct}.${name}' is not a valid value.`);
};

/** How many servers have to have a write: of a server that is alone, itself. */
const acknowledgement: Rule = (v) => {
  if (isNumber(v.t)) {
    const n = numberOf(v) ?? NaN;
    if (Number.isNaN(n)) throw failedToParse('w cannot be NaN');
    if (n < 0 || n > MOST_NODES)
      throw failedToParse(`w has to be a non-negative number and not greater than ${MOST_NODES}; found: ${n}`);
    if (n > 1) throw badValue("cannot use 'w' > 1 when a host is not replicated");
  } else if (v.t === T.object) throw ofTags(v);
  else if (v.t !== T.string) throw failedToParse(`w has to be a number, string, or object; found: ${typeName(v.t)}`);
  else if (textOf(v) !== MAJORITY) throw notReplicated(textOf(v));
};

function ofTags(v: Elem): ServerError {
  const tags = items(v);
  if (tags.length === 0) return failedToParse('tagged write concern requires tags');
  if (!tags.every(({ t }) => isNumber(t)))
    return failedToParse(`tags must be a single level document with only number values; found: ${inspect(v)}`);
  return notReplicated(inspect(v));
}

const notReplicated = (mode: string): ServerError =>
  badValue(`cannot use non-majority 'w' mode ${mode} when a host is not a member of a replica set`);

const timeout: Rule = (v) => {
  if ((numberOf(v) ?? 0) > 2 ** 31 - 1) throw failedToParse('wtimeout must be a 32-bit integer');
};

/** As every write is on disk when it is acknowledged and there is no other server, nothing here makes a difference. */
const WRITE_CONCERN = ruleTable({
  w: acknowledgement,
  j: flag,
  wtimeout: timeout,
  fsync: flag,
  wElectionId: anything,
  wOpTime: anything,
  getLastError: anything,
  provenance,
});

export const writeConcern: Rule = (v, _struct, name) => {
  if (v.t !== T.object) throw typeMismatch(`"${name}" had the wrong type. Expected object, found ${typeName(v.t)}`);
  const given = readOptions(v, name, WRITE_CONCERN);
  if (truthy(given.get('j')) && truthy(given.get('fsync')))
    throw failedToParse('fsync and j options cannot be used together');
};

/** For commands that write nothing. */
export const noWriteConcern: Rule = () => {
  throw new ServerError(72, 'Command does not support writeConcern');
};

const LEVELS = ['local', 'majority', 'linearizable', 'available', 'snapshot'];

const level: Rule = (v) => {
  if (v.t !== T.string) throw typeMismatch(`"level" had the wrong type. Expected string, found ${typeName(v.t)}`);
  const name = textOf(v);
  if (!LEVELS.includes(name))
    throw failedToParse(
      "readConcern.level must be either 'local', 'majority', 'linearizable', 'available', or 'snapshot'",
    );
  if (name === 'snapshot')
    throw new ServerError(123, 'node needs to be a replica set member to use readConcern: snapshot');
  if (name === 'linearizable') throw notAReplicaSet();
};

const notAReplicaSet = (): ServerError =>
  new ServerError(123, 'node needs to be a replica set member to use read concern');

/** A time of the cluster, of which a server that is alone has none. */
const clusterTime: Rule = () => {
  throw notAReplicaSet();
};

const READ_CONCERN = new Map<string, Rule>([
  ['level', level],
  ['afterClusterTime', clusterTime],
  ['atClusterTime', clusterTime],
  ['afterOpTime', clusterTime],
  ['provenance', provenance],
]);

/** What is read is on disk, and there is no other server: `local`, `available` and `majority` are the same. */
export const readConcern: Rule = (v, _struct, name) => {
  for (const [option, value] of optionsOf(v, name)) {
    const rule = READ_CONCERN.get(option);
    if (rule === undefined) throw new ServerError(72, `Unrecognized option in readConcern: ${option}`);
    rule(value, name, option);
  }
};

/** For commands that take no other level than `local`. */
export const localReadConcern: Rule = (v, struct, name) => {
  readConcern(v, struct, name);
  const given = optionsOf(v, name).find(([option]) => option === 'level')?.[1];
  if (given !== undefined && textOf(given) !== 'local')
    throw new ServerError(
      72,
      `Command ${struct} does not support { readConcern: ${inspect(v)} } :: caused by :: read concern not supported`,
    );
};

function optionsOf(v: Elem, name: string): [string, Elem][] {
  if (v.t !== T.object) throw failedToParse(`${name} field should be an object`);
  return entries(v);
}

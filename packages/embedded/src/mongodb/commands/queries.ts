import { items, T, type Elem } from '../bson/index.js';
import { badValue } from '../bson/errors.js';
import { filterOf } from '../filter/parse.js';
import type { FindQuery } from '../query/find.js';
import { parseProjection } from '../query/projection.js';
import { naturalOrder, parseSort } from '../query/sort.js';
import type { Command } from '../wire.js';
import { numberField } from './command.js';

/** Reads the query part of a find command. */
export function findQuery(c: Command): FindQuery {
  const limit = numberField(c, 'limit') ?? 0;
  const sort = parseSort(c.fields.get('sort'));
  const natural = naturalOrder(sort);
  return {
    filter: filterOf(c.fields.get('filter')),
    sort: natural === undefined ? sort : [],
    skip: numberField(c, 'skip') ?? 0,
    limit: limit === 0 ? Infinity : limit,
    projection: parseProjection(c.fields.get('projection')),
    hint: natural === undefined ? c.fields.get('hint') : naturalHint(c, natural),
  };
}

/** `{ $natural: -1 }` as a sort means the same as a hint, so both can only be given when they agree. */
function naturalHint(c: Command, order: number): Elem | undefined {
  const given = c.fields.get('hint');
  if (given === undefined || (given.t === T.object && items(given).length === 0)) return c.fields.get('sort');
  if (given.t === T.object && naturalOrder(parseSort(given)) === order) return given;
  throw badValue('Cannot use a $natural sort together with another hint');
}

/** The query part of a command that has a filter and a hint alone. */
export const plainQuery = (c: Command): FindQuery => ({
  filter: filterOf(c.fields.get('query')),
  sort: [],
  skip: 0,
  limit: Infinity,
  projection: undefined,
  hint: c.fields.get('hint'),
});

/** The query part of a count: a negative limit means the same as a positive one. */
export function countQuery(c: Command): FindQuery {
  const limit = Math.abs(numberField(c, 'limit') ?? 0);
  return { ...plainQuery(c), skip: numberField(c, 'skip') ?? 0, limit: limit === 0 ? Infinity : limit };
}

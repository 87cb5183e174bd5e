import { listAnswer, selected, type SCIMAnswer, type SCIMQuery } from './answers.js';
import { meets } from './filter.js';
import type { Fields, ResourceKind } from './resource.js';

/** The most values of lists, such as members of groups, in a page. A page has at least one resource. */
export const mostValues = 20_000;

/** Reads the resources of candidates, in their order, so many at a time. */
export interface Reading {
  read: (ids: readonly string[]) => Promise<Fields[]>;
  atOnce: number;
}

/** `compared`: resources with what the filter compares; `shown`: with what the answer shows. */
export interface Readings {
  compared: Reading;
  shown: Reading;
}

/**
 * A page of the resources of these candidates that meet the filter of a request. Without a filter, only those of the
 * page are read. A page whose resources have many values ends early: the next one begins where it ends.
 */
export async function pageOf(
  kind: ResourceKind,
  candidates: readonly string[],
  query: SCIMQuery,
  { compared, shown }: Readings,
): Promise<SCIMAnswer> {
  const { filter, startIndex, count } = query;
  const from = startIndex - 1;
  const found = filter === undefined ? candidates : await idsThatMeet(kind, candidates, filter, compared);
  const page = await readWithin(found.slice(from, from + count), shown);
  const resources = page.map((resource) => selected(kind, resource, query));
  return listAnswer(resources, { total: found.length, startIndex });
}

async function idsThatMeet(
  kind: ResourceKind,
  candidates: readonly string[],
  filter: NonNullable<SCIMQuery['filter']>,
  { read, atOnce }: Reading,
): Promise<string[]> {
  const found: string[] = [];
  for (let start = 0; start < candidates.length; start += atOnce) {
    const resources = await read(candidates.slice(start, start + atOnce));
    found.push(...resources.filter((each) => meets(filter, each, kind)).map((each) => String(each['id'])));
  }
  return found;
}

/** The first of these resources, up to `mostValues`. */
async function readWithin(ids: readonly string[], { read, atOnce }: Reading): Promise<Fields[]> {
  const page: Fields[] = [];
  let values = 0;
  for (let start = 0; start < ids.length; start += atOnce) {
    for (const resource of await read(ids.slice(start, start + atOnce))) {
      values += valuesOf(resource);
      if (page.length > 0 && values > mostValues) return page;
      page.push(resource);
    }
  }
  return page;
}

function valuesOf(resource: Fields): number {
  return Object.values(resource).reduce<number>((sum, value) => sum + (Array.isArray(value) ? value.length : 1), 0);
}

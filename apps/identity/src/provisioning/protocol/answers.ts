import type * as z from 'zod';
import type { answerSCIM } from '@scriptorium/contracts';
import { readFilter, type Filter } from './filter.js';
import { refusal } from './refusal.js';
import { withoutSchema, type Fields, type ResourceKind } from './resource.js';

/** The answer to a request by SCIM. */
export type SCIMAnswer = z.input<(typeof answerSCIM)['response']>;

/** The most resources of a page. */
export const mostResources = 200;

const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** The query of a list or of one resource. */
export interface SCIMQuery {
  filter: Filter | undefined;
  /** The first resource, from 1. */
  startIndex: number;
  count: number;
  attributes: readonly string[];
  excludedAttributes: readonly string[];
}

/** @throws AppError `invalid_request` that names the parameter */
export function readQuery(query: Readonly<Record<string, string>>): SCIMQuery {
  const { filter, startIndex, count, attributes, excludedAttributes } = query;
  return {
    filter: filter === undefined || filter === '' ? undefined : readFilter(filter),
    startIndex: Math.max(1, integerOf('startIndex', startIndex, 1)),
    count: Math.min(mostResources, Math.max(0, integerOf('count', count, 100))),
    attributes: namesOf(attributes),
    excludedAttributes: namesOf(excludedAttributes),
  };
}

function integerOf(name: string, value: string | undefined, usual: number): number {
  if (value === undefined || value === '') return usual;
  if (!/^-?\d{1,9}$/.test(value)) throw refusal('invalidValue', `${name} must be a whole number`);
  return Number(value);
}

function namesOf(list: string | undefined): string[] {
  return (list ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}

/** A resource of which a request wants certain attributes, or all but some. Its id and schemas always stay. */
export function selected(
  kind: ResourceKind,
  resource: Fields,
  { attributes, excludedAttributes }: Pick<SCIMQuery, 'attributes' | 'excludedAttributes'>,
): Fields {
  if (attributes.length > 0) return picked(resource, pathsOf(kind, ['schemas', 'id', ...attributes]), true);
  const always = new Set(['schemas', 'id']);
  const excluded = pathsOf(kind, excludedAttributes).filter((path) => !always.has(path));
  return excluded.length === 0 ? resource : picked(resource, excluded, false);
}

/** Whether an answer shows an attribute. */
export function isWanted(
  query: Pick<SCIMQuery, 'attributes' | 'excludedAttributes'>,
  kind: ResourceKind,
  name: string,
) {
  const { attributes, excludedAttributes } = query;
  const roots = pathsOf(kind, attributes).map((path) => path.split('.')[0]);
  return attributes.length > 0 ? roots.includes(name) : !pathsOf(kind, excludedAttributes).includes(name);
}

function pathsOf(kind: ResourceKind, names: readonly string[]): string[] {
  return names.map((name) => withoutSchema(kind, name) ?? name);
}

/** The fields at these paths in lower case, or all others. */
function picked(fields: Fields, paths: readonly string[], isKept: boolean): Fields {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    const own = name.toLowerCase();
    if (paths.includes(own)) return isKept ? [[name, value]] : [];
    const inner = paths.filter((path) => path.startsWith(`${own}.`)).map((path) => path.slice(own.length + 1));
    if (inner.length === 0) return isKept ? [] : [[name, value]];
    const within = (each: unknown): unknown =>
      typeof each === 'object' && each !== null ? picked(each as Fields, inner, isKept) : each;
    return [[name, Array.isArray(value) ? value.map(within) : within(value)]];
  });
  return Object.fromEntries(entries);
}

/** The answer to a list. `total`: of all pages. */
export function listAnswer(resources: readonly Fields[], { total, startIndex }: { total: number; startIndex: number }) {
  const body = {
    schemas: [listSchema],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
  return { status: 200, body };
}

/** The answer to a refused request; SCIM has the status as a text. */
export function errorAnswer(status: number, detail: string, scimType?: string): SCIMAnswer {
  const type = scimType === undefined ? {} : { scimType };
  return { status, body: { schemas: [errorSchema], status: String(status), ...type, detail } };
}

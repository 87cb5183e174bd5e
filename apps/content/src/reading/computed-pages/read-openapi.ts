import { parse as parseYaml } from 'yaml';
import { UnreadableSource } from './computed-page.js';

/** An operation of a specification. */
export interface SpecOperation {
  path: string;
  method: string;
  title: string;
  description: string;
}

/** A tag with its operations. */
export interface SpecTag {
  name: string;
  title: string;
  description: string;
  operations: SpecOperation[];
}

/** A schema that a specification names. */
export interface SpecModel {
  name: string;
  description: string;
  properties: { name: string; type: string; isRequired: boolean; description: string }[];
}

/** What pages show of a specification. */
export interface Specification {
  title: string;
  tags: SpecTag[];
  models: SpecModel[];
}

type Members = Readonly<Record<string, unknown>>;

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);
const most = { operations: 5_000, models: 2_000, properties: 500 };
/** The tag of operations that have none. */
const untagged = 'default';
/** Aliases that YAML resolves, so that a short text cannot stand for a huge one. */
const mostAliases = 100;

/** Reads a specification: OpenAPI 3 or Swagger 2.0, as JSON or YAML. @throws UnreadableSource */
export function readOpenAPI(text: string): Specification {
  const root = members(parsed(text));
  if (!/^3\./.test(textOf(root['openapi'])) && textOf(root['swagger']) !== '2.0')
    throw new UnreadableSource('It is no OpenAPI 3 and no Swagger 2.0');
  const models = entriesOf(members(root['components'])['schemas'] ?? root['definitions']);
  if (models.length > most.models) throw new UnreadableSource('It has too many models');
  return {
    title: lineOf(members(root['info'])['title']),
    tags: tagsOf(root),
    models: models.map(([name, schema]) => modelOf(name, members(schema))),
  };
}

function parsed(text: string): unknown {
  const plain = text.replace(/^\ufeff/, '');
  try {
    return plain.trimStart().startsWith('{')
      ? JSON.parse(plain)
      : parseYaml(plain, { maxAliasCount: mostAliases, logLevel: 'silent' });
  } catch {
    throw new UnreadableSource('It is neither JSON nor YAML');
  }
}

/** The tags in the order in which they are declared, then in that of their first operations. */
function tagsOf(root: Members): SpecTag[] {
  const tags = new Map<string, SpecTag>();
  for (const tag of listOf(root['tags']).map(members)) {
    const name = lineOf(tag['name']);
    const title = lineOf(tag['x-displayName']);
    if (name !== '' && !tags.has(name)) tags.set(name, emptyTag(name, title, textOf(tag['description'])));
  }
  let count = 0;
  for (const [path, item] of entriesOf(root['paths'])) {
    for (const [method, given] of entriesOf(item)) {
      if (!methods.has(method)) continue;
      count += 1;
      if (count > most.operations) throw new UnreadableSource('It has too many operations');
      const operation = members(given);
      // An operation is shown once, whatever number of tags it has.
      const name = lineOf(listOf(operation['tags'])[0]) || untagged;
      const tag = tags.get(name) ?? emptyTag(name, '', '');
      tags.set(name, tag);
      tag.operations.push(operationOf(path, method, operation));
    }
  }
  return [...tags.values()];
}

function emptyTag(name: string, title: string, description: string): SpecTag {
  return { name, title: title === '' ? name : title, description, operations: [] };
}

function operationOf(path: string, method: string, { summary, description }: Members): SpecOperation {
  const title = lineOf(summary);
  return {
    path: lineOf(path),
    method,
    title: title === '' ? `${method.toUpperCase()} ${lineOf(path)}` : title,
    description: textOf(description),
  };
}

function modelOf(name: string, schema: Members): SpecModel {
  const required = new Set(listOf(schema['required']));
  const properties = entriesOf(schema['properties']).slice(0, most.properties);
  return {
    name: lineOf(name),
    description: textOf(schema['description']),
    properties: properties.map(([property, given]) => ({
      name: lineOf(property),
      type: typeOf(members(given)),
      isRequired: required.has(property),
      description: lineOf(members(given)['description']),
    })),
  };
}

/** The type of a schema in one word: `string`, `Pet`, `Pet[]`. */
function typeOf(schema: Members): string {
  const named = /\/([^/]+)$/.exec(textOf(schema['$ref']))?.[1];
  if (named !== undefined) return lineOf(named);
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  if (types.includes('array')) return `${typeOf(members(schema['items']))}[]`;
  return types.filter((one) => typeof one === 'string').join(' | ') || 'any';
}

function members(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

function entriesOf(value: unknown): [string, unknown][] {
  return Object.entries(members(value));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const longest = { line: 250, text: 65_536 };

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed().slice(0, longest.text) : '';
}

/** A text on one line, short enough for a title. */
function lineOf(value: unknown): string {
  return textOf(value)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, longest.line)
    .toWellFormed();
}

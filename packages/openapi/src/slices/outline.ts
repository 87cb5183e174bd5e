import { follow } from '../documents/pointers.js';
import { entriesOf, lineOf, listOf, members, textOf, type Members } from '../text/values.js';
import { operationsIn } from './operations.js';

export interface OutlineTag {
  name: string;
  title: string;
  description: string;
  /** The tag that this one stands below (`x-parent`, or `parent` of OpenAPI 3.2). */
  parent?: string;
  /** The title of its page (`x-page-title`), where it differs. */
  pageTitle?: string;
}

export interface OutlineOperation {
  method: string;
  path: string;
  title: string;
  description: string;
  tags: string[];
  operationId?: string;
  isDeprecated?: true;
  /** Names of parameters and of properties, for search. */
  names: string[];
}

export interface OutlineModel {
  name: string;
  description: string;
  properties: { name: string; type: string; isRequired: boolean; description: string }[];
}

/** What pages and lists need to know of a specification, without its schemas. */
export interface Outline {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: string[];
  tags: OutlineTag[];
  operations: OutlineOperation[];
  webhooks: OutlineOperation[];
  models: OutlineModel[];
}

const most = { names: 100, properties: 500, servers: 20, parts: 50 };

export function outlineOf(root: Members): Outline {
  const info = members(root['info']);
  return {
    openapi: lineOf(root['openapi']),
    info: { title: lineOf(info['title']), version: lineOf(info['version']), description: textOf(info['description']) },
    servers: listOf(root['servers'])
      .slice(0, most.servers)
      .map((server) => lineOf(members(server)['url'])),
    tags: tagsOf(root),
    operations: [...operationsIn(root, 'paths')].map((found) => outlineOperation(root, found)),
    webhooks: [...operationsIn(root, 'webhooks')].map((found) => outlineOperation(root, found)),
    models: entriesOf(members(root['components'])['schemas'] ?? root['definitions']).map(([name, schema]) =>
      modelOf(root, name, members(schema)),
    ),
  };
}

function tagsOf(root: Members): OutlineTag[] {
  const tags = new Map<string, OutlineTag>();
  for (const tag of listOf(root['tags']).map(members)) {
    const name = lineOf(tag['name']);
    if (name === '' || tags.has(name)) continue;
    const parent = lineOf(tag['x-parent'] ?? tag['parent']);
    const pageTitle = lineOf(tag['x-page-title']);
    tags.set(name, {
      name,
      title: lineOf(tag['x-displayName'] ?? tag['summary']) || name,
      description: textOf(tag['description']),
      ...(parent !== '' && { parent }),
      ...(pageTitle !== '' && { pageTitle }),
    });
  }
  return [...tags.values()];
}

function outlineOperation(root: Members, found: [string, string, Members, Members]): OutlineOperation {
  const [path, method, item, operation] = found;
  const id = lineOf(operation['operationId']);
  return {
    method,
    path: lineOf(path),
    title: lineOf(operation['summary']) || `${method.toUpperCase()} ${lineOf(path)}`,
    description: textOf(operation['description']),
    tags: listOf(operation['tags']).map(lineOf),
    ...(id !== '' && { operationId: id }),
    ...(operation['deprecated'] === true && { isDeprecated: true as const }),
    names: namesIn(root, item, operation),
  };
}

function namesIn(root: Members, item: Members, operation: Members): string[] {
  const parameters = [...listOf(item['parameters']), ...listOf(operation['parameters'])];
  const names = new Set(parameters.map((parameter) => lineOf(members(follow(root, parameter))['name'])));
  const bodies = [operation['requestBody'], ...Object.values(members(operation['responses']))];
  for (const body of bodies) {
    for (const media of Object.values(members(members(follow(root, body))['content'])))
      for (const name of propertiesOf(root, members(media)['schema'])) names.add(lineOf(name));
  }
  names.delete('');
  return [...names].slice(0, most.names);
}

/** Names of the properties of a schema, or of the items of a list. */
function propertiesOf(root: Members, given: unknown): string[] {
  const schema = members(follow(root, given));
  const items = schema['items'] === undefined ? {} : members(follow(root, schema['items']));
  return [schema, items, ...listOf(schema['allOf']).map((part) => members(follow(root, part)))].flatMap((part) =>
    Object.keys(members(part['properties'])).slice(0, most.names),
  );
}

function modelOf(root: Members, name: string, schema: Members): OutlineModel {
  const parts = partsOf(root, schema);
  const required = new Set(parts.flatMap((part) => listOf(part['required'])));
  const properties = new Map(parts.flatMap((part) => entriesOf(part['properties'])));
  return {
    name: lineOf(name),
    description: textOf(schema['description']),
    properties: [...properties].slice(0, most.properties).map(([property, given]) => ({
      name: lineOf(property),
      type: typeOf(members(given)),
      isRequired: required.has(property),
      description: lineOf(members(given)['description']),
    })),
  };
}

/** A schema behind what it takes over with `allOf`; each part once, at most 50. */
function partsOf(root: Members, schema: Members, seen = new Set<Members>()): Members[] {
  if (seen.has(schema) || seen.size >= most.parts) return [];
  seen.add(schema);
  return [...listOf(schema['allOf']).flatMap((part) => partsOf(root, members(follow(root, part)), seen)), schema];
}

/** The type of a schema in one word: `string`, `Pet`, `Pet[]`. */
export function typeOf(schema: Members): string {
  return typeAt(schema, 0);
}

function typeAt(schema: Members, level: number): string {
  const named = /\/([^/]+)$/.exec(textOf(schema['$ref']))?.[1];
  if (named !== undefined) return lineOf(named);
  const types = listOf(schema['type'] === undefined ? [] : [schema['type']].flat());
  if (types.includes('array') && level < 5) return `${typeAt(members(schema['items']), level + 1)}[]`;
  return types.filter((one) => typeof one === 'string').join(' | ') || 'any';
}

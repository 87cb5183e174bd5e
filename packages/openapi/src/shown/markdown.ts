import type { OperationSlice } from '../slices/pack.js';
import { entriesOf, lineOf, listOf, members, textOf, type Members } from '../text/values.js';
import { exampleOfContent } from './example.js';
import { cell, code, escaped, fenced, table } from './markdown-text.js';
import { callbacksOf, externalExamplesOf, isOfWeb } from './named-parts.js';
import { factsOf, typeWords } from './schema-words.js';
import { wholeSchema } from './whole-schema.js';

type Schemas = Readonly<Record<string, unknown>>;

/**
 * An operation as markdown: heading, description, parameters, an example of the body, responses. What comes from the
 * specification cannot break out of its table or its code. `isHeadless`: title and description stand before it.
 */
export function toMarkdown(slice: OperationSlice, { isHeadless = false }: { isHeadless?: boolean } = {}): string {
  const { operation, method, path } = slice;
  const title = lineOf(operation['summary']) || `${method.toUpperCase()} ${path}`;
  const level = isHeadless ? '##' : '###';
  return joined([
    isHeadless ? '' : `## ${escaped(title)}`,
    code(`${method.toUpperCase()} ${lineOf(path)}`),
    operation['deprecated'] === true ? '**Deprecated**' : '',
    isHeadless ? '' : textOf(operation['description']).trim(),
    authorization(slice),
    parametersOf(slice, level),
    bodyOf(slice, level),
    responsesOf(operation, level),
    callbackList(operation, level),
  ]);
}

/** Schemas as markdown: each with its description, and a table of its properties. */
export function schemasToMarkdown(names: readonly string[], schemas: Readonly<Record<string, unknown>>): string {
  const found = names.filter((name) => Object.hasOwn(schemas, name));
  return joined(
    found.flatMap((name) => {
      const schema = members(schemas[name]);
      return [`### ${escaped(lineOf(name))}`, textOf(schema['description']).trim(), ...modelOf(schema, schemas)];
    }),
  );
}

/** What a schema is, and its properties: those of its parts too. */
function modelOf(given: Members, schemas: Schemas): string[] {
  const schema = wholeSchema(given, schemas);
  const required = new Set(listOf(schema['required']));
  const rows = entriesOf(schema['properties']).map(([name, property]) => {
    const about = `${typeWords(property)}${required.has(name) ? ', required' : ''}`;
    return [code(lineOf(name)), escaped(about), described(members(property)['description'], property, schemas)];
  });
  const says = factsOf(schema);
  const isChoice = schema['oneOf'] !== undefined || schema['anyOf'] !== undefined;
  const words = rows.length === 0 || isChoice ? escaped(typeWords(schema)) : '';
  return [words, says, rows.length === 0 ? '' : table(['Name', 'Type', 'Description'], rows)];
}

/** A description with what else is said of the value, in a cell of a table. */
function described(description: unknown, schema: unknown, schemas: Schemas): string {
  return [cell(description), factsOf(wholeSchema(schema, schemas))].filter((text) => text !== '').join(' ');
}

/** What the API sends for a request. */
function callbackList(operation: Members, level: string): string {
  const items = callbacksOf(operation).map(({ name, method, address, title }) => {
    const about = title === '' ? '' : `: ${escaped(title)}`;
    return `- ${escaped(name)}, ${code(`${method} ${address}`)}${about}`;
  });
  return items.length === 0 ? '' : `${level} Callbacks\n\n${items.join('\n')}`;
}

function externalLinks(media: unknown): string {
  const links = externalExamplesOf(media).map(({ title, url }) =>
    isOfWeb(url) ? `[${escaped(title)}](<${new URL(url).href}>)` : `${escaped(title)}: ${code(lineOf(url))}`,
  );
  return links.length === 0 ? '' : `Examples elsewhere: ${links.join(', ')}`;
}

function joined(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function authorization({ operation }: OperationSlice): string {
  const ways = listOf(operation['security']).map((way) =>
    entriesOf(way)
      .map(([name, scopes]) => [code(lineOf(name)), ...listOf(scopes).map((scope) => code(lineOf(scope)))].join(' '))
      .join(' and '),
  );
  const named = ways.filter((way) => way !== '');
  return named.length === 0 ? '' : `Authorization: ${named.join(', or ')}`;
}

function parametersOf({ operation, schemas }: OperationSlice, level: string): string {
  const rows = listOf(operation['parameters']).map((given) => {
    const parameter = members(given);
    const type = typeWords(parameter['schema']);
    const about = `${type}${parameter['required'] === true ? ', required' : ''}`;
    const says = described(parameter['description'], parameter['schema'], schemas);
    return [code(lineOf(parameter['name'])), cell(parameter['in']), escaped(about), says];
  });
  return rows.length === 0 ? '' : `${level} Parameters\n\n${table(['Name', 'In', 'Type', 'Description'], rows)}`;
}

function bodyOf({ operation, schemas }: OperationSlice, level: string): string {
  const body = members(operation['requestBody']);
  const [type, media] = entriesOf(body['content'])[0] ?? [];
  if (type === undefined) return '';
  const { schema } = members(media);
  const example = exampleOfContent(media, schemas, 'request');
  const about = `${code(lineOf(type))} ${escaped(typeWords(schema))}${body['required'] === true ? ', required' : ''}`;
  const parts = [
    `${level} Body`,
    about,
    textOf(body['description']).trim(),
    factsOf(wholeSchema(schema, schemas)),
    example === undefined ? '' : fenced(example),
    externalLinks(media),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function responsesOf(operation: Members, level: string): string {
  const rows = entriesOf(operation['responses']).map(([status, given]) => {
    const response = members(given);
    const contents = entriesOf(response['content']);
    const types = contents.map(
      ([type, media]) => `${code(lineOf(type))} ${escaped(typeWords(members(media)['schema']))}`,
    );
    return [code(lineOf(status)), cell(response['description']), types.join(', ')];
  });
  return rows.length === 0 ? '' : `${level} Responses\n\n${table(['Status', 'Description', 'Body'], rows)}`;
}

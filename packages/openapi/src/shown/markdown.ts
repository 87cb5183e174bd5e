import type { OperationSlice } from '../slices/pack.js';
import { typeOf } from '../slices/outline.js';
import { entriesOf, lineOf, listOf, members, textOf, type Members } from '../text/values.js';
import { exampleOfContent } from './example.js';

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
  ]);
}

/** Schemas as markdown: each with its description, and a table of its properties. */
export function schemasToMarkdown(names: readonly string[], schemas: Readonly<Record<string, unknown>>): string {
  const found = names.filter((name) => Object.hasOwn(schemas, name));
  return joined(
    found.flatMap((name) => {
      const schema = members(schemas[name]);
      return [`### ${escaped(lineOf(name))}`, textOf(schema['description']).trim(), propertiesOf(schema)];
    }),
  );
}

function propertiesOf(schema: Members): string {
  const required = new Set(listOf(schema['required']));
  const rows = entriesOf(schema['properties']).map(([name, given]) => {
    const property = members(given);
    const about = `${typeOf(property)}${required.has(name) ? ', required' : ''}`;
    return [code(lineOf(name)), escaped(about), cell(property['description'])];
  });
  return rows.length === 0 ? escaped(typeOf(schema)) : table(['Name', 'Type', 'Description'], rows);
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

function parametersOf({ operation }: OperationSlice, level: string): string {
  const rows = listOf(operation['parameters']).map((given) => {
    const parameter = members(given);
    const type = typeOf(members(parameter['schema']));
    const about = `${type}${parameter['required'] === true ? ', required' : ''}`;
    return [code(lineOf(parameter['name'])), cell(parameter['in']), escaped(about), cell(parameter['description'])];
  });
  return rows.length === 0 ? '' : `${level} Parameters\n\n${table(['Name', 'In', 'Type', 'Description'], rows)}`;
}

function bodyOf({ operation, schemas }: OperationSlice, level: string): string {
  const body = members(operation['requestBody']);
  const [type, media] = entriesOf(body['content'])[0] ?? [];
  if (type === undefined) return '';
  const schema = members(members(media)['schema']);
  const example = exampleOfContent(media, schemas, 'request');
  const about = `${code(lineOf(type))} ${escaped(typeOf(schema))}${body['required'] === true ? ', required' : ''}`;
  const parts = [
    `${level} Body`,
    about,
    textOf(body['description']).trim(),
    example === undefined ? '' : fenced(example),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function responsesOf(operation: Members, level: string): string {
  const rows = entriesOf(operation['responses']).map(([status, given]) => {
    const response = members(given);
    const contents = entriesOf(response['content']);
    const types = contents.map(
      ([type, media]) => `${code(lineOf(type))} ${escaped(typeOf(members(members(media)['schema'])))}`,
    );
    return [code(lineOf(status)), cell(response['description']), types.join(', ')];
  });
  return rows.length === 0 ? '' : `${level} Responses\n\n${table(['Status', 'Description', 'Body'], rows)}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((one) => one.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(value: unknown): string {
  return escaped(lineOf(value));
}

/** A text that means itself in markdown. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#]/g, String.raw`\$&`);
}

function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return longest === 0 ? `\`${text}\`` : `${ticks} ${text} ${ticks}`;
}

/** JSON has no line of backquotes only, but texts in it may have them. */
function fenced(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${typeof value === 'string' ? '' : 'json'}\n${text}\n${fence}`;
}

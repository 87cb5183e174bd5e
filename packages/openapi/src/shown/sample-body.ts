import type { OperationSlice } from '../slices/pack.js';
import { entriesOf, isMembers, lineOf, listOf, members, textOf, type Members } from '../text/values.js';
import { exampleOfContent } from './example.js';
import { joinedPairs, pairsOf, styleOf, textOfScalar, textOfValue } from './sample-values.js';
import { xmlOf } from './sample-xml.js';
import { wholeSchema } from './whole-schema.js';

/** A part of a form. A file has no text: readers put one of their own there. */
export type SamplePart = { name: string; type?: string } & ({ text: string } | { isFile: true });

/** What a request sends: a value of JSON, a text, a form of several parts, or a file. */
export type SampleBody = { json: unknown } | { text: string } | { parts: SamplePart[] } | { isFile: true };

export interface TypedBody {
  /** `undefined` where whoever sends the body has to say it: the boundary of a form is not known before. */
  type: string | undefined;
  value: SampleBody | undefined;
}

type Schemas = OperationSlice['schemas'];

const isJson = (type: string): boolean => /[/+]json\b/i.test(type);

/** The body of a sample: of JSON, when the operation takes it, else of the first media type. */
export function sampleBody({ operation, schemas }: OperationSlice): TypedBody | undefined {
  const contents = entriesOf(members(operation['requestBody'])['content']);
  const [type, media] = contents.find(([name]) => isJson(name)) ?? contents[0] ?? [];
  if (type === undefined) return undefined;
  if (/^multipart\/form-data\b/i.test(type)) return { type: undefined, value: { parts: partsOf(media, schemas) } };
  const value = valueOf(type, media, schemas);
  return { type, value };
}

function valueOf(type: string, media: unknown, schemas: Schemas): SampleBody | undefined {
  const example = exampleOfContent(media, schemas, 'request');
  if (isJson(type)) return example === undefined ? undefined : { json: example };
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return { text: formOf(media, example) };
  if (isFile(wholeSchema(members(media)['schema'], schemas)) || isBinary(type)) return { isFile: true };
  return { text: textOfExample(type, media, schemas, example) ?? 'string' };
}

/** An example as it is sent; JSON is also YAML, and tells what a text of any other kind is about. */
export function textOfExample(type: string, media: unknown, schemas: Schemas, example: unknown): string | undefined {
  if (typeof example === 'string' || example === undefined) return example;
  if (/[/+]xml\b/i.test(type)) return xmlOf(example, members(media)['schema'], schemas);
  return textOfScalar(example) ?? JSON.stringify(example, null, 2);
}

function isBinary(type: string): boolean {
  return (
    /^(image|audio|video|font)\/|^application\/(octet-stream|pdf|zip|gzip)\b/i.test(type) && !/\+xml\b/i.test(type)
  );
}

/** The fields of a form in one line. Lists repeat their name unless their encoding says otherwise. */
function formOf(media: unknown, example: unknown): string {
  if (typeof example === 'string') return example;
  const encodings = members(members(media)['encoding']);
  const pairs = entriesOf(example).flatMap(([name, value]) => {
    const encoding = members(encodings[name]);
    const isStyled = encoding['style'] !== undefined || encoding['explode'] !== undefined;
    const shown = isMembers(value) && !isStyled ? textOfValue(value) : value;
    return pairsOf(name, shown, styleOf(encoding));
  });
  return joinedPairs(pairs);
}

/** The parts of a form: a part for each item of a list, JSON for objects, and files for bytes. */
function partsOf(media: unknown, schemas: Schemas): SamplePart[] {
  const properties = members(wholeSchema(members(media)['schema'], schemas)['properties']);
  const example = members(exampleOfContent(media, schemas, 'request'));
  const encodings = members(members(media)['encoding']);
  const names = new Set([...Object.keys(properties), ...Object.keys(example)]);
  return [...names].flatMap((name): SamplePart[] => {
    const schema = wholeSchema(properties[name], schemas);
    if (schema['readOnly'] === true) return [];
    const items = schema['items'] === undefined ? schema : wholeSchema(schema['items'], schemas);
    const type = lineOf(textOf(members(encodings[name])['contentType']).split(',')[0]);
    const typed = type === '' || type.includes('*') ? {} : { type };
    if (isFile(schema) || isFile(items)) return [{ name, ...typed, isFile: true }];
    const value = example[name];
    const values = Array.isArray(value) ? listOf(value) : [value];
    return values.flatMap((one) => (one === undefined ? [] : [partOf(name, one, typed)]));
  });
}

function partOf(name: string, value: unknown, typed: { type?: string }): SamplePart {
  const json = typeof value === 'object' && value !== null ? { type: 'application/json' } : {};
  return { name, ...json, ...typed, text: textOfValue(value) ?? '' };
}

/** Whether values of a schema are bytes: of OpenAPI 3.0 by their format, of 3.1 by their media type. */
function isFile(schema: Members): boolean {
  const { type, format, contentMediaType, contentEncoding } = schema;
  if (format === 'binary' || type === 'file') return true;
  return contentMediaType !== undefined && contentEncoding === undefined && !isText(contentMediaType);
}

function isText(type: unknown): boolean {
  return /^text\/|[/+](json|xml)\b/i.test(textOf(type));
}

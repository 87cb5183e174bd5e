import {
  entriesOf,
  exampleOf,
  isMembers,
  lineOf,
  members,
  snippetsOf,
  xmlOf,
  type CompleteOperation,
  type ExampleUse,
  type Members,
} from '@scriptorium/openapi/shown';
import {
  apiBlocks,
  isApiBlock,
  type Block,
  type Data,
  type Fragment,
  type Node,
  type RichDocument,
} from '@scriptorium/rich-text';
import type { SchemaSource } from '../render-context.js';
import { givenIn } from './api-blocks.js';

/** Examples of one content, and characters of all code of one operation; a page shares the latter. */
const most = { examples: 20, example: 16 * 1024, operation: 128 * 1024, page: 1024 * 1024, least: 8 * 1024 };

/** The name of the part of a block that holds its samples. */
export const samplesPart = 'samples';

/** The name of the part of a block that holds the examples of a content: of the request, or of a status. */
export function examplesPart(place: string, type: string): string {
  return JSON.stringify([place, type]);
}

/**
 * A document whose operations have their examples and samples with them, as blocks of code: whoever marks the words of
 * code finds them there. Operations of one specification have the schemas of all of them, each of which comes once.
 */
export function withCodeOfOperations(document: RichDocument): RichDocument {
  const blocks = apiBlocks(document);
  if (blocks.length === 0) return document;
  const sources = sourcesOf(blocks);
  const share = Math.max(most.least, Math.min(most.operation, Math.floor(most.page / blocks.length)));
  const visit = <T extends Node>(node: T): T => {
    if (node.object === 'text') return node;
    if (isApiBlock(node)) return { ...node, ...withCode(node, sources, share) };
    const nodes = node.nodes?.map(visit);
    const fragments = node.fragments?.map((part) => ({ ...part, nodes: part.nodes.map(visit) }));
    return { ...node, ...(nodes && { nodes }), ...(fragments && { fragments }) };
  };
  return { ...document, nodes: document.nodes.map(visit) };
}

/** The schemas of each specification, from all blocks that show parts of it. */
function sourcesOf(blocks: readonly Block[]): Map<string, SchemaSource> {
  const sources = new Map<string, SchemaSource>();
  for (const { data } of blocks) {
    const source = givenIn(data)?.source;
    if (source === undefined) continue;
    const before = sources.get(source.spec)?.schemas;
    sources.set(source.spec, { ...source, schemas: { ...before, ...source.schemas } });
  }
  return sources;
}

function withCode(
  { type, data }: Block,
  sources: ReadonlyMap<string, SchemaSource>,
  share: number,
): Pick<Block, 'data' | 'fragments'> {
  const given = givenIn(data);
  const source = given && sources.get(given.source.spec);
  if (given === undefined || source === undefined) return { data };
  const resolved = { ...members(data['resolved']), schemas: source.schemas } as Data;
  const { operation } = given;
  const isWebhook = type === 'openapi-webhook';
  const fragments =
    operation === undefined
      ? []
      : [...(isWebhook ? [] : [samples(operation, source)]), ...examplesOf(operation, source, isWebhook)];
  return { data: { ...data, resolved }, fragments: withinShare(fragments, share) };
}

/** The first parts, as far as they are not too much for a page. */
function withinShare(fragments: readonly Fragment[], share: number): Fragment[] {
  let left = share;
  return fragments.map((part) => ({
    ...part,
    nodes: part.nodes.filter((node) => {
      left -= JSON.stringify(node).length / 2;
      return left >= 0;
    }),
  }));
}

function samples(given: CompleteOperation, { schemas }: SchemaSource): Fragment {
  const nodes = snippetsOf({ ...given, schemas }).map(({ code, language, label }) => codeBlock(code, language, label));
  return { object: 'fragment', fragment: samplesPart, nodes };
}

/** Examples of the body, and of all answers. What a webhook sends is for its receiver what an answer is. */
function examplesOf({ operation }: CompleteOperation, source: SchemaSource, isWebhook: boolean): Fragment[] {
  const answers = entriesOf(operation['responses']);
  return [
    ...ofContents('request', operation['requestBody'], { source, use: isWebhook ? 'response' : 'request' }),
    ...answers.flatMap(([status, answer]) =>
      ofContents(status, answer, { source, use: isWebhook ? 'request' : 'response' }),
    ),
  ];
}

interface For {
  source: SchemaSource;
  use: ExampleUse;
}

function ofContents(place: string, holder: unknown, to: For): Fragment[] {
  return entriesOf(members(holder)['content']).map(([type, media]) => ({
    object: 'fragment',
    fragment: examplesPart(place, type),
    nodes: ofContent(members(media), type, to),
  }));
}

function ofContent(media: Members, type: string, { source, use }: For): Block[] {
  const named = entriesOf(media['examples']).flatMap(([name, given]): [string, unknown][] =>
    isMembers(given) && given['value'] !== undefined
      ? [[lineOf(given['summary']) || lineOf(name), given['value']]]
      : [],
  );
  const block = (value: unknown, name: string): Block => exampleBlock(sent(value, media, type, source), type, name);
  if (named.length > 0) return named.slice(0, most.examples).map(([name, value]) => block(value, name));
  const own = media['example'];
  if (own !== undefined) return [block(own, '')];
  const made = media['schema'] === undefined ? undefined : exampleOf(media['schema'], source.schemas, use);
  return made === undefined || made === null || made === '' ? [] : [block(made, '')];
}

/** An example as it is sent: a value of a schema as XML where that is the media type. */
function sent(value: unknown, media: Members, type: string, { schemas }: SchemaSource): unknown {
  return typeof value === 'object' && /[/+]xml\b/.test(type) ? xmlOf(value, media['schema'], schemas) : value;
}

function exampleBlock(value: unknown, type: string, title: string): Block {
  const isText = typeof value === 'string' && !/[/+]json\b/.test(type);
  const text = isText ? value : JSON.stringify(value, null, 2);
  const language = !isText ? 'json' : /[/+]xml\b/.test(type) ? 'xml' : /html/.test(type) ? 'html' : '';
  const cut = text.length > most.example ? `${text.slice(0, most.example).toWellFormed()}\n…` : text;
  return codeBlock(cut, language, title);
}

/** A block of code that the reader can mark. */
function codeBlock(text: string, syntax: string, title: string): Block {
  const lines = text.split('\n').map((line): Block => ({
    object: 'block',
    type: 'code-line',
    isVoid: false,
    data: {},
    nodes: line === '' ? [] : [{ object: 'text', leaves: [{ object: 'leaf', text: line, marks: [] }] }],
  }));
  return { object: 'block', type: 'code', isVoid: false, data: { syntax, title }, nodes: lines };
}

import { brotliCompressSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import type { Documented, Parameter, ServedDocument } from './document.js';
import { anyValue, fitting, knownIds, nearly, type Schema } from './values.js';

/** A request before the ids that exist are put into it. */
export interface Drawn {
  operation: Documented;
  actor: Actor;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  coding: 'gzip' | 'br' | undefined;
}

export const actors = [
  'operator',
  'admin',
  'editor',
  'reader',
  'guest',
  'stranger',
  'limited',
  'session',
  'nobody',
  'liar',
] as const;
export type Actor = (typeof actors)[number];

/** How right a request is. */
type Mode = 'right' | 'near' | 'wrong';

const hostilePaths = [
  '%zz',
  '%00',
  '..',
  '%2e%2e%2f',
  'a%2fb',
  '',
  '.',
  'x'.repeat(200),
  '%F0%9F%92%A9',
  '__proto__',
  'constructor',
  '0',
  'null',
  '%ed%a0%80',
  'a b'.replace(' ', '%20'),
  '@',
];
const brokenBodies = [
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '{"a":1}{}',
  '\ufeff{}',
  '{"a":NaN}',
  '7',
  'x'.repeat(100),
  `${'['.repeat(200)}${']'.repeat(200)}`,
];
const types = [
  'application/json',
  'application/merge-patch+json',
  'text/plain',
  'application/json; charset=utf-16',
  'multipart/form-data',
  ';;',
];

/** Requests of one operation: right ones, nearly right ones and wrong ones, by callers of all kinds. */
export function requestsOf(operation: Documented, { resolve }: ServedDocument): fc.Arbitrary<Drawn> {
  const place = (where: Parameter['in']): Parameter[] => operation.parameters.filter((each) => each.in === where);
  const valueOf = (mode: Mode, name: string, schema: Schema): fc.Arbitrary<unknown> =>
    mode === 'right'
      ? fitting(schema, resolve, name)
      : fc.oneof(nearly(schema, resolve, name), fitting(schema, resolve, name));
  const bodies = (mode: Mode): fc.Arbitrary<string | undefined> => {
    if (operation.body === undefined)
      return mode === 'wrong' ? fc.constantFrom(undefined, '{}') : fc.constant(undefined);
    const write = operation.bodyType === 'application/json' ? json : form;
    const fit = fitting(operation.body, resolve).map(write);
    if (mode === 'right') return operation.bodyRequired ? fit : fc.option(fit, { nil: undefined, freq: 4 });
    if (mode === 'near')
      return fc.oneof(
        { weight: 3, arbitrary: nearly(operation.body, resolve).map(write) },
        { weight: 1, arbitrary: fit },
      );
    return fc.oneof(anyValue().map(write), fc.constantFrom(...brokenBodies), fc.constant(undefined));
  };
  const inMode = (mode: Mode): fc.Arbitrary<Drawn> =>
    fc
      .record({
        actor: actorsFor(operation, mode),
        params: fc.tuple(...place('path').map(({ name, schema }) => pathValues(mode, name, schema, valueOf))),
        query: fc.tuple(
          ...place('query').map(({ name, schema, required }) =>
            queryValues(mode, name, required, valueOf(mode, name, schema)),
          ),
        ),
        more: fc.constantFrom(
          '',
          '',
          '',
          'unknown=1',
          ...(mode === 'right' ? [] : ['__proto__=1', 'limit=1&limit=2', 'x=%zz', 'a=%00', 'dryRun=maybe']),
        ),
        headers: headersOf(mode, place('header'), valueOf),
        body: bodies(mode),
        coding: fc.option(fc.constantFrom('gzip' as const, 'br' as const), { freq: 8, nil: undefined }),
      })
      .map(({ params, query, more, ...rest }) => ({
        operation,
        path: target(operation.path, params, [...query, more]),
        ...rest,
      }));
  return fc.oneof(
    { weight: 11, arbitrary: inMode('right') },
    { weight: 6, arbitrary: inMode('near') },
    { weight: 3, arbitrary: inMode('wrong') },
  );
}

function actorsFor({ takesSession }: Documented, mode: Mode): fc.Arbitrary<Actor> {
  // Those who may do much draw most of what is right, or all that is seen would be refusals.
  const mighty: Actor[] = takesSession ? ['session', 'session', 'admin'] : ['admin', 'admin', 'operator'];
  return fc.oneof(
    { weight: mode === 'right' ? 2 : 1, arbitrary: fc.constantFrom(...mighty) },
    { weight: 1, arbitrary: fc.constantFrom(...actors) },
  );
}

type ValueOf = (mode: Mode, name: string, schema: Schema) => fc.Arbitrary<unknown>;

function pathValues(mode: Mode, name: string, schema: Schema, valueOf: ValueOf): fc.Arbitrary<string> {
  if (mode === 'wrong') return fc.constantFrom(...hostilePaths);
  const known =
    schema['pattern'] === '^[a-zA-Z0-9_-]+$' || ['projection', 'subdomain'].includes(name)
      ? knownIds(name)
      : fitting(schema, (reference) => ({ reference })).map(encoded);
  return mode === 'right'
    ? known
    : fc.oneof(
        { weight: 4, arbitrary: known },
        { weight: 1, arbitrary: valueOf(mode, name, schema).map(encoded) },
        { weight: 1, arbitrary: fc.constantFrom(...hostilePaths) },
      );
}

/** One or more pairs of a query, or none. */
function queryValues(mode: Mode, name: string, required: boolean, values: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  // A right cursor is one that an answer gave.
  if (mode === 'right' && name === 'page') return fc.constant('');
  const pair = values.map((value) =>
    (Array.isArray(value) ? value : [value])
      .slice(0, 5)
      .map((each) => `${name}=${encoded(each)}`)
      .join('&'),
  );
  return required ? pair : fc.option(pair, { nil: '', freq: 3 });
}

function headersOf(mode: Mode, declared: readonly Parameter[], valueOf: ValueOf): fc.Arbitrary<Record<string, string>> {
  const shown = declared.map(
    ({ name, schema }) => [name.toLowerCase(), headerValues(mode, name, () => valueOf(mode, name, schema))] as const,
  );
  const others = {
    'accept-encoding': fc.constantFrom('gzip', 'br', 'identity', '*;q=0', ';;'),
    accept: fc.constantFrom('*/*', 'text/html', 'application/json'),
    'x-request-id': fc.constantFrom('fuzz', 'a b', 'x'.repeat(200)),
    ...(mode === 'right'
      ? {}
      : {
          'content-type': fc.constantFrom(...types),
          'content-encoding': fc.constantFrom('identity', 'zstd', 'gzip, br'),
        }),
  };
  const all = { ...Object.fromEntries(shown), ...others };
  return fc
    .record(
      Object.fromEntries(
        Object.entries(all).map(([name, values]) => [
          name,
          fc.option(values, { nil: undefined, freq: mode === 'right' ? 8 : 3 }),
        ]),
      ),
    )
    .map((headers) =>
      Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ),
    );
}

function headerValues(mode: Mode, name: string, values: () => fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const plain = (value: unknown): string =>
    (typeof value === 'string' ? value : json(value))
      .replace(/[^\x20-\x7e]/g, '')
      .trim()
      .slice(0, 400);
  if (mode === 'right' && name === 'If-Match') return fc.constant('*');
  if (mode === 'right' && /after/i.test(name)) return fc.constant('0');
  if (/^if-/i.test(name))
    return fc.constantFrom('*', '"abc"', 'W/"abc"', '"abcdefghijklmnopqrstuv"', 'abc', '"a", "b"', '');
  if (/after/i.test(name)) return fc.constantFrom('0', '1', '99999999999999', '9223372036854775808', '-1', 'x', '');
  return values().map(plain);
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function form(value: unknown): string {
  return typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([name, each]) => `${encoded(name)}=${encoded(each)}`)
        .join('&')
    : json(value);
}

/** A value as it stands in a URL; places that are held for ids stay as they are. */
function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : json(value);
  return text.startsWith('@known:') ? text : encodeURIComponent(text.toWellFormed());
}

function target(path: string, params: readonly string[], query: readonly string[]): string {
  let at = 0;
  const filled = path.replace(/\{\w+\}/g, () => params[at++] ?? '');
  const given = query.filter((part) => part !== '').join('&');
  return given === '' ? filled : `${filled}?${given}`;
}

/** The bytes of a body, coded where the request says so. */
export function bytesOf({ body, coding }: Pick<Drawn, 'body' | 'coding'>): Buffer | null {
  if (body === undefined) return null;
  const plain = Buffer.from(body);
  if (coding === undefined) return plain;
  return coding === 'gzip' ? gzipSync(plain) : brotliCompressSync(plain);
}

import type { OperationSlice } from '../slices/pack.js';
import { entriesOf, lineOf, listOf, members, type Members } from '../text/values.js';
import { exampleOfContent } from './example.js';
import { sampleBody, type SampleBody } from './sample-body.js';
import {
  encode,
  joinedPairs,
  pairsOf,
  pathText,
  simpleText,
  styleOf,
  textOfValue,
  type EncodedPair,
} from './sample-values.js';

/** A request that calls an operation, with examples and words to be replaced for what only the reader knows. */
export interface SampleRequest {
  method: string;
  /** Percent-encoded, so that it has neither quotes nor spaces. */
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** `undefined` when there is none. */
  body: SampleBody | undefined;
}

export function sampleRequest(slice: OperationSlice): SampleRequest {
  const parameters = listOf(slice.operation['parameters']).map(members);
  const credentials = credentialsOf(slice);
  const body = sampleBody(slice);
  const wanted = parameters.filter((parameter) => parameter['required'] === true);
  const query = [...queryOf(wanted, slice), ...credentials.query.map(encodedPair)];
  const cookies = [...credentials.cookies.map((pair) => pair.join('=')), ...cookiesOf(wanted, slice)];
  const headers = [
    ...credentials.headers,
    ...(body?.type === undefined ? [] : [['Content-Type', body.type] as const]),
    ...headersOf(wanted, slice),
    ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const]),
  ];
  return {
    method: slice.method.toUpperCase(),
    url: `${serverOf(slice)}${pathOf(slice, parameters)}${query.length === 0 ? '' : `?${joinedPairs(query)}`}`,
    headers: headers.map(([name, value]) => [name.replace(/[^\w!#$%&'*+.^`|~-]/g, ''), lineOf(value)] as const),
    body: body?.value,
  };
}

/** The URL of the first server, with the defaults of its variables. */
function serverOf({ servers }: OperationSlice): string {
  const server = members(servers[0]);
  const url = lineOf(server['url']).replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const { default: value } = members(members(server['variables'])[name]);
    return typeof value === 'string' ? value : whole;
  });
  const absolute = URL.canParse(url) ? url : new URL(url === '' ? '/' : url, 'https://api.example.com').href;
  return encoded(absolute.replace(/\/+$/, ''));
}

function pathOf(slice: OperationSlice, parameters: readonly Members[]): string {
  return encoded(
    slice.path.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
      const parameter = parameters.find((one) => one['in'] === 'path' && one['name'] === name);
      if (parameter === undefined) return whole;
      return pathText(name, valueOf(parameter, slice), styleOf(parameter, 'simple'), whole);
    }),
  );
}

/** Quotes and spaces would end the text in which a URL stands; what is encoded already stays. */
function encoded(url: string): string {
  return url
    .toWellFormed()
    .replace(/[^\w\-.~:/?#[\]@!$&()*+,;=%{}]/g, (char) => (char === "'" ? '%27' : encodeURIComponent(char)));
}

function queryOf(parameters: readonly Members[], slice: OperationSlice): EncodedPair[] {
  return parameters
    .filter((parameter) => parameter['in'] === 'query')
    .flatMap((parameter) => pairsOf(lineOf(parameter['name']), valueOf(parameter, slice), styleOf(parameter)));
}

function headersOf(parameters: readonly Members[], slice: OperationSlice): (readonly [string, string])[] {
  return parameters
    .filter((parameter) => parameter['in'] === 'header')
    .map((parameter) => [
      lineOf(parameter['name']),
      simpleText(valueOf(parameter, slice), styleOf(parameter, 'simple').explode) ?? 'string',
    ]);
}

/** Cookies stand in one header. What cannot stand in a cookie is encoded. */
function cookiesOf(parameters: readonly Members[], slice: OperationSlice): string[] {
  return parameters
    .filter((parameter) => parameter['in'] === 'cookie')
    .flatMap((parameter) => pairsOf(lineOf(parameter['name']), valueOf(parameter, slice), styleOf(parameter)))
    .map((pair) => pair.join('='));
}

/** A value for a parameter. One with a `content` is sent as its media type says. */
function valueOf(parameter: Members, { schemas }: OperationSlice): unknown {
  const [, media] = entriesOf(parameter['content'])[0] ?? [];
  if (media === undefined) return exampleOfContent(parameter, schemas, 'request') ?? 'string';
  return textOfValue(exampleOfContent(media, schemas, 'request')) ?? 'string';
}

function encodedPair([name, value]: readonly [string, string]): EncodedPair {
  return [encode(name), encode(value)];
}

interface Credentials {
  headers: (readonly [string, string])[];
  query: (readonly [string, string])[];
  cookies: (readonly [string, string])[];
}

/** What the first way of authorization needs. */
function credentialsOf({ operation, securitySchemes }: OperationSlice): Credentials {
  const credentials: Credentials = { headers: [], query: [], cookies: [] };
  for (const [name] of entriesOf(listOf(operation['security'])[0])) {
    const scheme = members(securitySchemes[name]);
    if (scheme['type'] === 'apiKey') addKey(scheme, credentials);
    else if (scheme['type'] === 'http' && String(scheme['scheme']).toLowerCase() === 'basic')
      credentials.headers.push(['Authorization', 'Basic YOUR_CREDENTIALS']);
    else if (['http', 'oauth2', 'openIdConnect'].includes(String(scheme['type'])))
      credentials.headers.push(['Authorization', 'Bearer YOUR_TOKEN']);
  }
  return credentials;
}

function addKey(scheme: Members, { headers, query, cookies }: Credentials): void {
  const pair = [lineOf(scheme['name']), 'YOUR_API_KEY'] as const;
  if (scheme['in'] === 'query') query.push(pair);
  else if (scheme['in'] === 'cookie') cookies.push(pair);
  else headers.push(pair);
}

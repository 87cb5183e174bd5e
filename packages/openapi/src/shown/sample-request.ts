import type { OperationSlice } from '../slices/pack.js';
import { entriesOf, lineOf, listOf, members, type Members } from '../text/values.js';
import { exampleOfContent } from './example.js';

/** A request that calls an operation, with examples and words to be replaced for what only the reader knows. */
export interface SampleRequest {
  method: string;
  /** Percent-encoded, so that it has neither quotes nor spaces. */
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** The body as a value (of JSON) or as a text; `undefined` when there is none. */
  body: { json: unknown } | { text: string } | undefined;
}

export function sampleRequest(slice: OperationSlice): SampleRequest {
  const parameters = listOf(slice.operation['parameters']).map(members);
  const credentials = credentialsOf(slice);
  const body = bodyOf(slice);
  const wanted = parameters.filter((parameter) => parameter['required'] === true);
  const query = [...valuesIn('query', wanted, slice), ...credentials.query];
  const headers = [
    ...credentials.headers,
    ...(body === undefined ? [] : [['Content-Type', body.type] as const]),
    ...valuesIn('header', wanted, slice),
  ];
  return {
    method: slice.method.toUpperCase(),
    url: `${serverOf(slice)}${pathOf(slice, parameters)}${queryOf(query)}`,
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
      const value =
        parameter === undefined ? undefined : textOfValue(exampleOfContent(parameter, slice.schemas, 'request'));
      return value === undefined || value === '' || value === 'string' ? whole : encodeURIComponent(value);
    }),
  );
}

/** Quotes and spaces would end the text in which a URL stands; what is encoded already stays. */
function encoded(url: string): string {
  return url
    .toWellFormed()
    .replace(/[^\w\-.~:/?#[\]@!$&()*+,;=%{}]/g, (char) => (char === "'" ? '%27' : encodeURIComponent(char)));
}

function queryOf(values: readonly (readonly [string, string])[]): string {
  if (values.length === 0) return '';
  const encode = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');
  return `?${values.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')}`;
}

function valuesIn(place: string, parameters: readonly Members[], slice: OperationSlice): (readonly [string, string])[] {
  return parameters
    .filter((parameter) => parameter['in'] === place)
    .map((parameter) => {
      const value = textOfValue(exampleOfContent(parameter, slice.schemas, 'request'));
      return [lineOf(parameter['name']), value ?? 'string'] as const;
    });
}

function textOfValue(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

interface Credentials {
  headers: (readonly [string, string])[];
  query: (readonly [string, string])[];
}

/** What the first way of authorization needs. */
function credentialsOf({ operation, securitySchemes }: OperationSlice): Credentials {
  const credentials: Credentials = { headers: [], query: [] };
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

function addKey(scheme: Members, { headers, query }: Credentials): void {
  const pair = [lineOf(scheme['name']), 'YOUR_API_KEY'] as const;
  if (scheme['in'] === 'query') query.push(pair);
  else if (scheme['in'] === 'cookie') headers.push(['Cookie', pair.join('=')]);
  else headers.push(pair);
}

function bodyOf({ operation, schemas }: OperationSlice): { type: string; value: SampleRequest['body'] } | undefined {
  const contents = entriesOf(members(operation['requestBody'])['content']);
  const [type, media] = contents.find(([name]) => /[/+]json\b/.test(name)) ?? contents[0] ?? [];
  if (type === undefined) return undefined;
  const example = exampleOfContent(media, schemas, 'request');
  if (/[/+]json\b/.test(type)) return { type, value: example === undefined ? undefined : { json: example } };
  if (typeof example === 'string') return { type, value: { text: example } };
  if (type !== 'application/x-www-form-urlencoded') return { type, value: undefined };
  const fields = entriesOf(example).map(
    ([name, value]) => [name, textOfValue(value) ?? JSON.stringify(value)] as const,
  );
  return { type, value: { text: queryOf(fields).slice(1) } };
}

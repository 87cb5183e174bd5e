import { entriesOf, lineOf, listOf, members, type CompleteOperation, type Members } from '@scriptorium/openapi/shown';
import { classes, el, type Child, type HtmlNode } from '../html.js';
import type { RenderContext } from '../render-context.js';
import { described } from './described.js';

const most = { ways: 20, scopes: 50 };

/** How a request is authorized: one of several ways, each of which may need several things. */
export function authorization(ctx: RenderContext, given: CompleteOperation): HtmlNode[] {
  const { security } = given.operation;
  if (security === undefined) return [];
  const ways = listOf(security).slice(0, most.ways);
  if (ways.length === 0) return [el('p', {}, 'No authorization is needed.')];
  const items = ways.map((way) => wayOf(ctx, given, way));
  return items.length === 1
    ? (items[0] ?? [])
    : [el('p', {}, 'One of:'), el('ul', {}, ...items.map((item) => el('li', {}, item)))];
}

function wayOf(ctx: RenderContext, { securitySchemes }: CompleteOperation, way: unknown): HtmlNode[] {
  const schemes = entriesOf(way);
  if (schemes.length === 0) return [el('p', {}, 'No authorization.')];
  return schemes.flatMap(([name, scopes], index) => {
    const scheme = members(Object.hasOwn(securitySchemes, name) ? securitySchemes[name] : undefined);
    return [
      el('p', {}, index === 0 ? undefined : 'and ', el('strong', {}, lineOf(name)), ...kindOf(scheme)),
      ...described(ctx, scheme['description']),
      ...scopesOf(scheme, listOf(scopes)),
    ];
  });
}

function kindOf(scheme: Members): Child[] {
  switch (scheme['type']) {
    case 'apiKey':
      return [': key in ', placeOf(scheme), ' ', el('code', {}, lineOf(scheme['name']))];
    case 'http':
      return [': ', schemeName(lineOf(scheme['scheme'])), ' in header ', el('code', {}, 'Authorization')];
    case 'oauth2':
      return [': OAuth 2.0, token in header ', el('code', {}, 'Authorization')];
    case 'openIdConnect':
      return [': OpenID Connect, token in header ', el('code', {}, 'Authorization')];
    case 'mutualTLS':
      return [': certificate of the client'];
    default:
      return [];
  }
}

function placeOf(scheme: Members): string {
  if (scheme['in'] === 'query') return 'query parameter';
  return scheme['in'] === 'cookie' ? 'cookie' : 'header';
}

function schemeName(scheme: string): string {
  const names: Readonly<Record<string, string>> = { bearer: 'bearer token', basic: 'name and password (Basic)' };
  const key = scheme.toLowerCase();
  return (Object.hasOwn(names, key) ? names[key] : undefined) ?? scheme;
}

/** Scopes with what the scheme says of them. */
function scopesOf(scheme: Members, scopes: readonly unknown[]): HtmlNode[] {
  if (scopes.length === 0) return [];
  const about = new Map(entriesOf(scheme['flows']).flatMap(([, flow]) => entriesOf(members(flow)['scopes'])));
  const rest = scopes.length - most.scopes;
  const items = scopes.slice(0, most.scopes).map((scope) => {
    const text = lineOf(about.get(String(scope)));
    return el('li', {}, el('code', {}, lineOf(scope)), text === '' ? undefined : `: ${text}`);
  });
  const more = rest > 0 ? el('li', {}, `${rest} more`) : undefined;
  return [el('p', classes('scopes'), 'Scopes:'), el('ul', classes('scopes'), items, more)];
}

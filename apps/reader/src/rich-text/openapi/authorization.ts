import { entriesOf, lineOf, listOf, members, type CompleteOperation, type Members } from '@scriptorium/openapi/shown';
import { classes, el, type Child, type HtmlNode } from '../html.js';
import type { RenderContext } from '../render-context.js';
import type { ApiTexts } from '../../texts/api/api-texts.js';
import { filled } from '../../texts/texts.js';
import { filledNodes } from '../filled-nodes.js';
import { described } from './described.js';

const most = { ways: 20, scopes: 50 };

/** How a request is authorized: one of several ways, each of which may need several things. */
export function authorization(ctx: RenderContext, given: CompleteOperation): HtmlNode[] {
  const { security } = given.operation;
  if (security === undefined) return [];
  const ways = listOf(security).slice(0, most.ways);
  if (ways.length === 0) return [el('p', {}, ctx.sayOfApi.noAuthorizationNeeded)];
  const items = ways.map((way) => wayOf(ctx, given, way));
  return items.length === 1
    ? (items[0] ?? [])
    : [el('p', {}, ctx.sayOfApi.oneOfThese), el('ul', {}, ...items.map((item) => el('li', {}, item)))];
}

function wayOf(ctx: RenderContext, { securitySchemes }: CompleteOperation, way: unknown): HtmlNode[] {
  const schemes = entriesOf(way);
  if (schemes.length === 0) return [el('p', {}, ctx.sayOfApi.noAuthorization)];
  return schemes.flatMap(([name, scopes], index) => {
    const scheme = members(Object.hasOwn(securitySchemes, name) ? securitySchemes[name] : undefined);
    const called = el('strong', {}, lineOf(name));
    const kind = kindOf(ctx.sayOfApi, scheme);
    return [
      el(
        'p',
        {},
        index === 0 ? called : filledNodes(ctx.sayOfApi.and, { name: called }),
        kind.length === 0 ? [] : [': ', ...kind],
      ),
      ...described(ctx, scheme['description']),
      ...scopesOf(ctx.sayOfApi, scheme, listOf(scopes)),
    ];
  });
}

const inHeader = el('code', {}, 'Authorization');

function kindOf(say: ApiTexts, scheme: Members): Child[] {
  switch (scheme['type']) {
    case 'apiKey':
      return filledNodes(placeOf(say, scheme), { name: el('code', {}, lineOf(scheme['name'])) });
    case 'http':
      return filledNodes(say.schemeInHeader, { scheme: schemeName(say, lineOf(scheme['scheme'])), name: inHeader });
    case 'oauth2':
      return filledNodes(say.oauth, { name: inHeader });
    case 'openIdConnect':
      return filledNodes(say.openIdConnect, { name: inHeader });
    case 'mutualTLS':
      return [say.certificate];
    default:
      return [];
  }
}

function placeOf(say: ApiTexts, scheme: Members): string {
  if (scheme['in'] === 'query') return say.keyInQuery;
  return scheme['in'] === 'cookie' ? say.keyInCookie : say.keyInHeader;
}

function schemeName(say: ApiTexts, scheme: string): string {
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return say.bearer;
    case 'basic':
      return say.basic;
    default:
      return scheme;
  }
}

/** Scopes with what the scheme says of them. */
function scopesOf(say: ApiTexts, scheme: Members, scopes: readonly unknown[]): HtmlNode[] {
  if (scopes.length === 0) return [];
  const about = new Map(entriesOf(scheme['flows']).flatMap(([, flow]) => entriesOf(members(flow)['scopes'])));
  const rest = scopes.length - most.scopes;
  const items = scopes.slice(0, most.scopes).map((scope) => {
    const text = lineOf(about.get(String(scope)));
    return el('li', {}, el('code', {}, lineOf(scope)), text === '' ? undefined : `: ${text}`);
  });
  const more = rest > 0 ? el('li', {}, filled(say.more, { count: rest })) : undefined;
  return [el('p', classes('scopes'), say.scopes), el('ul', classes('scopes'), items, more)];
}

import { type ContentRef } from './types.js';

/** What a reference is used for, as the link resolver is told. */
export type TargetUse = 'link' | 'image' | 'file' | 'page' | 'mention' | 'include' | 'openapi' | 'embed';

/** Turns a URL found in markdown into a reference; null leaves its text and drops the reference. */
export type ResolveLink = (url: string, use: TargetUse) => ContentRef | null;

export type FormattedLink = string | { url: string; text?: string };
/** Turns a reference into the URL to write; null when its target does not exist. */
export type FormatLink = (ref: ContentRef, style: 'relative' | 'stable') => FormattedLink | null;

const SAFE_SCHEMES = new Set(['http', 'https', 'mailto', 'tel', 'ftp', 'sms', 'slack', 'vscode']);

/**
 * False for URLs that could run code or carry content (`javascript:`, `data:`, `vbscript:`, …). Characters that
 * browsers skip when they look for the scheme are skipped here too. URLs without a scheme are safe.
 */
export function isSafeUrl(url: string): boolean {
  // eslint would flag control characters in a pattern, so they are dropped by code.
  let bare = '';
  for (const character of url.slice(0, 64)) if (character > ' ' && character !== '\u007f') bare += character;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(bare)?.[1];
  return scheme === undefined || SAFE_SCHEMES.has(scheme.toLowerCase());
}

const inSpace = (space: string | undefined): { space?: string } => (space === undefined ? {} : { space });

const OWN: Array<[RegExp, (match: RegExpExecArray) => ContentRef]> = [
  [/^\/files\/([\w-]+)$/, ([, file]) => ({ kind: 'file', file: file ?? '' })],
  [
    /^(?:\/spaces\/([\w-]+))?\/pages\/([\w-]+)$/,
    ([, space, page]) => ({ kind: 'page', page: page ?? '', ...inSpace(space) }),
  ],
  [
    /^(?:\/spaces\/([\w-]+))?\/pages\/([\w-]+)#(.+)$/,
    ([, space, page, anchor]) => ({ kind: 'anchor', page: page ?? '', anchor: anchor ?? '', ...inSpace(space) }),
  ],
  [/^#(.+)$/, ([, anchor]) => ({ kind: 'anchor', anchor: anchor ?? '' })],
  [/^mention:\/\/user\/([\w-]+)$/, ([, user]) => ({ kind: 'user', user: user ?? '' })],
  [
    /^(?:\/spaces\/([\w-]+))?\/reusable-content\/([\w-]+)$/,
    ([, space, id]) => ({ kind: 'reusable-content', reusableContent: id ?? '', ...inSpace(space) }),
  ],
  [/^\/collections\/([\w-]+)$/, ([, collection]) => ({ kind: 'collection', collection: collection ?? '' })],
  [/^\/spaces\/([\w-]+)$/, ([, space]) => ({ kind: 'space', space: space ?? '' })],
  [/^\/tags\/([\w-]+)$/, ([, tag]) => ({ kind: 'tag', tag: tag ?? '' })],
  [/^\/openapi\/([\w.-]+)$/, ([, spec]) => ({ kind: 'openapi', spec: spec ?? '' })],
];

/**
 * The resolver used when none is given: absolute URLs, and the stable forms that {@link formatLinkByDefault} writes.
 */
export const resolveLinkByDefault: ResolveLink = (url) => {
  if (/^[a-z][a-z0-9+.-]*:/i.test(url) && !url.startsWith('mention:')) return { kind: 'url', url };
  for (const [pattern, make] of OWN) {
    const match = pattern.exec(url);
    if (match) return make(match);
  }
  return null;
};

const str = (value: unknown): string => (typeof value === 'string' ? value : '');
const spaceOf = (ref: ContentRef): string => (str(ref['space']) !== '' ? `/spaces/${str(ref['space'])}` : '');

/** Stable URLs for every kind of reference; unknown kinds give null. */
export const formatLinkByDefault: FormatLink = (ref) => {
  switch (ref.kind) {
    case 'url':
      return str(ref['url']);
    case 'file':
      return `/files/${str(ref['file'])}`;
    case 'page':
      return `${spaceOf(ref)}/pages/${str(ref['page'])}${typeof ref['anchor'] === 'string' ? `#${ref['anchor']}` : ''}`;
    case 'anchor':
      return ref['page'] === undefined
        ? `#${str(ref['anchor'])}`
        : `${spaceOf(ref)}/pages/${str(ref['page'])}#${str(ref['anchor'])}`;
    case 'user':
      return `mention://user/${str(ref['user'])}`;
    case 'reusable-content':
      return `${spaceOf(ref)}/reusable-content/${str(ref['reusableContent'])}`;
    case 'collection':
      return `/collections/${str(ref['collection'])}`;
    case 'space':
      return `/spaces/${str(ref['space'])}`;
    case 'tag':
      return `/tags/${str(ref['tag'])}`;
    case 'openapi':
      return `/openapi/${str(ref['spec'])}`;
    default:
      return null;
  }
};

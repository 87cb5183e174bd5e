import { sourceOf } from '@scriptorium/contracts';
import { classes, el, type HtmlNode } from '../html.js';
import { outside } from '../inlines.js';
import type { Fields } from '../rendered-component.js';
import { addressOf, isFields, type Kit } from './kit.js';

/** Origins of frames of one page: each stands in its policy. */
const mostOrigins = 10;
/** Shapes that frames have, by width and height. */
const shapes = [
  [21, 9],
  [16, 9],
  [4, 3],
  [1, 1],
  [3, 4],
] as const;

/**
 * A frame in a sandbox without the rights of an origin, from where the integration states that it shows frames;
 * elsewhere a link to what it would show.
 */
export function webframe(kit: Kit, { source, aspectRatio }: Fields): HtmlNode[] {
  const { ctx, title, frames } = kit;
  const address = addressOf(kit, isFields(source) ? source['url'] : undefined);
  if (address === undefined || !/^https?:/.test(address)) return [];
  const url = new URL(address);
  const { origin } = url;
  const isRoom = ctx.frames.has(origin) || ctx.frames.size < mostOrigins;
  if (!ctx.mayFrame || !isRoom || !frames.some((one) => comesFrom(url, one)))
    return [el('p', classes('card'), el('a', { href: address, ...outside(ctx) }, url.hostname))];
  ctx.frames.add(origin);
  const frame = {
    src: address,
    title: title || url.hostname,
    loading: 'lazy',
    referrerPolicy: 'no-referrer',
    sandbox: ['allow-scripts', 'allow-forms', 'allow-popups'],
  };
  return [el('figure', classes('embedded', shapeOf(aspectRatio)), el('iframe', frame))];
}

/** Whether an address is one of a source, as policies of pages have them: `https://*.host:port/path`. Pure. */
export function comesFrom({ protocol, username, password, hostname, port, pathname }: URL, source: string): boolean {
  const named = sourceOf(source);
  if (named === undefined || named.scheme === 'wss') return false;
  if (protocol !== 'https:' || `${username}${password}` !== '') return false;
  const isHost = named.isBelow ? hostname.endsWith(`.${named.host}`) : hostname === named.host;
  const isPort = named.port === '*' || (port || '443') === (named.port || '443');
  return isHost && isPort && isBelow(pathname, named.path);
}

/** A path without a slash at its end is one alone. */
function isBelow(pathname: string, path: string): boolean {
  return path === '' || pathname === path || (path.endsWith('/') && pathname.startsWith(path));
}

/** The shape that is nearest to a ratio of width to height. */
function shapeOf(ratio: unknown): string | undefined {
  if (typeof ratio !== 'number' || !(ratio > 0)) return undefined;
  const distance = ([width, height]: readonly [number, number]) => Math.abs(Math.log(width / height / ratio));
  const [width, height] = shapes.reduce((best, one) => (distance(one) < distance(best) ? one : best));
  return `shape-${width}-${height}`;
}

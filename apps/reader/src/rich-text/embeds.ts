import type { Block } from '@scriptorium/rich-text';
import { partOf, textIn } from '@scriptorium/rich-text/reading';
import { classes, el, type HtmlNode } from './html.js';
import { icon } from './icons.js';
import { titleIn } from './inlines.js';
import type { RenderContext } from './render-context.js';

/** How what is shown at an address is embedded, for hosts that have another address for it. */
interface Player {
  /** The hosts that authors link to. */
  hosts: readonly string[];
  /** Where it is embedded from. */
  origin: string;
  brand: string;
  path: (url: URL) => string | undefined;
}

const id = /^[\w-]{5,64}$/;
const known = (text: string | null | undefined): string | undefined => (text && id.test(text) ? text : undefined);
const below = (path: string, text: string | undefined): string | undefined => text && `${path}${text}`;

const players: readonly Player[] = [
  {
    hosts: ['www.youtube.com', 'youtube.com', 'm.youtube.com', 'youtu.be'],
    origin: 'https://www.youtube-nocookie.com',
    brand: 'youtube',
    path: ({ hostname, pathname, searchParams }) => {
      const [, first, second] = pathname.split('/');
      const own = hostname === 'youtu.be' ? first : ['embed', 'shorts'].includes(first ?? '') ? second : undefined;
      return below('/embed/', known(own ?? searchParams.get('v')));
    },
  },
  {
    hosts: ['vimeo.com', 'player.vimeo.com'],
    origin: 'https://player.vimeo.com',
    brand: 'vimeo',
    path: ({ pathname }) => below('/video/', known(/(\d{5,15})/.exec(pathname)?.[1])),
  },
  {
    hosts: ['www.loom.com', 'loom.com'],
    origin: 'https://www.loom.com',
    brand: 'video',
    path: ({ pathname }) => below('/embed/', known(pathname.split('/')[2])),
  },
  {
    hosts: ['www.figma.com', 'figma.com'],
    origin: 'https://embed.figma.com',
    brand: 'figma',
    path: ({ pathname }) => `${pathname}?embed-host=docs`,
  },
];

/** The origins from which pages embed, for a site that allows these hosts. */
export function embeddedOrigins(hosts: readonly string[]): string[] {
  return [...new Set(hosts.map((host) => playerOf(host)?.origin ?? `https://${host}`))];
}

function playerOf(host: string): Player | undefined {
  return players.find(({ hosts }) => hosts.includes(host));
}

/** What is embedded: of hosts that the site allows as it is there, of others a card that leads to it. */
export function embed(ctx: RenderContext, node: Block): HtmlNode[] {
  const address = textIn(node.data, 'url');
  const caption = ctx.blocks(partOf(node, 'caption'));
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return caption;
  const url = new URL(address);
  const player = playerOf(url.hostname);
  const title = textIn(node.data, 'title') || titleIn(node.data);
  const text = caption.length === 0 ? undefined : el('figcaption', {}, caption);
  const source = sourceOf(ctx, url, player);
  if (source === undefined) return [card(address, { title, host: url.hostname, brand: player?.brand ?? 'link' }, text)];
  const frame = {
    src: source,
    title: title || url.hostname,
    loading: 'lazy',
    allowFullScreen: true,
    referrerPolicy: 'strict-origin-when-cross-origin',
    sandbox: ['allow-scripts', 'allow-same-origin', 'allow-popups', 'allow-forms', 'allow-presentation'],
  };
  return [el('figure', classes('embedded'), el('iframe', frame), text)];
}

function sourceOf({ embedHosts }: RenderContext, url: URL, player: Player | undefined): string | undefined {
  if (!embedHosts.includes(url.hostname) || url.protocol !== 'https:') return undefined;
  if (player === undefined) return url.port === '' ? url.href : undefined;
  const path = player.path(url);
  return path === undefined ? undefined : `${player.origin}${path}`;
}

function card(
  href: string,
  { title, host, brand }: { title: string; host: string; brand: string },
  caption: HtmlNode | undefined,
): HtmlNode {
  const rel = { rel: ['noopener', 'noreferrer'] };
  return el(
    'figure',
    classes('card'),
    el('a', { href, ...rel }, icon(brand), title || href),
    el('small', {}, ` ${host}`),
    caption,
  );
}

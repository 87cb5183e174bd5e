import type { Block, Data } from '@scriptorium/rich-text';
import { integrationCard, isObject } from '@scriptorium/rich-text/reading';
import { filled } from '../texts/texts.js';
import { componentAsHtml } from './contentkit/elements.js';
import { classes, el, type HtmlNode } from './html.js';
import { icon } from './icons.js';
import { outside } from './inlines.js';
import type { RenderContext } from './render-context.js';

/** What an integration shows, as far as it has rendered it; otherwise a card of what is said of the block. */
export function integration(ctx: RenderContext, node: Block): HtmlNode[] {
  const rendered = ctx.componentOf(node);
  if (rendered === undefined) return card(ctx, node);
  const { title } = integrationCard(node);
  const html = componentAsHtml(ctx, rendered, { title, frames: framesIn(node.data) });
  if (html.length === 0) return card(ctx, node);
  return [el('div', { ...classes('component'), role: 'group', ariaLabel: title }, html)];
}

/** The sources from which the integration of a block states that it shows frames. */
function framesIn({ resolved }: Data): string[] {
  const frames = isObject(resolved) ? resolved['frames'] : undefined;
  return Array.isArray(frames) ? frames.filter((one) => typeof one === 'string') : [];
}

function card(ctx: RenderContext, node: Block): HtmlNode[] {
  const { title, description, url, content, integration: by, icon: source } = integrationCard(node);
  const drawn =
    source === undefined
      ? icon('blocks')
      : el('img', { src: source, alt: '', width: 24, height: 24, loading: 'lazy', className: ['integration-icon'] });
  const text = title || ctx.say.details;
  const said = [
    url !== undefined && url !== text && new URL(url).hostname,
    by && by !== text && filled(ctx.say.integration, { title: by }),
  ];
  const about = said.filter((one) => typeof one === 'string' && one !== '').join(' · ');
  return [
    el(
      'figure',
      classes('card'),
      url === undefined ? el('strong', {}, drawn, text) : el('a', { href: url, ...outside(ctx) }, drawn, text),
      description === '' ? undefined : el('p', {}, description),
      about === '' ? undefined : el('p', {}, el('small', {}, about)),
    ),
    ...(content.trim() === '' ? [] : [el('pre', {}, el('code', {}, content))]),
  ];
}

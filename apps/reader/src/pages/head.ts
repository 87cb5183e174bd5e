import { classes, el, type Child, type HtmlNode, type Properties } from '../rich-text/html.js';
import { iconPath } from '../style/favicon.js';
import { ownFonts } from '../style/fonts.js';
import { mainFontFile } from '../style/named-fonts.js';
import { scriptPath } from '../style/script.js';
import { stylePath, themePath } from '../style/style.js';
import { directionOf } from '../texts/texts.js';
import { shownScripts } from '../visit/scripts.js';
import type { SiteView } from '../visit/site-view.js';
import type { Frame } from './frame.js';
import { themeOf } from './themes.js';

/** What the whole page says of itself: its language, and how the site looks. */
export function rootProperties({ view, theme }: Frame): Properties {
  const { styling, header, themes } = view.look;
  return {
    lang: view.locale,
    dir: directionOf(view.locale),
    dataTheme: themeOf(themes, theme),
    ...classes(
      `look-${styling.theme}`,
      `header-${header.preset}`,
      `depth-${styling.depth}`,
      `links-${styling.links}`,
      `sidebar-${styling.sidebar.background}`,
      `list-${styling.sidebar.list}`,
      `search-${styling.search}`,
      `icons-${styling.icons}`,
    ),
  };
}

export function head(frame: Frame): HtmlNode {
  const { view, title, canonical, isListed, consent } = frame;
  const whole = title === '' || title === view.title ? view.title : `${title} | ${view.title}`;
  const fonts = ownFonts(view.look.styling);
  return el(
    'head',
    {},
    el('meta', { charSet: 'utf-8' }),
    el('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    el('title', {}, whole),
    isListed ? undefined : el('meta', { name: 'robots', content: 'noindex' }),
    canonical && el('link', { rel: ['canonical'], href: canonical }),
    preview(frame, whole),
    favicon(view),
    alternates(frame),
    languages(frame),
    fontsFirst(frame),
    el('link', { rel: ['stylesheet'], href: `${view.siteBase}${stylePath}` }),
    el('link', { rel: ['stylesheet'], href: `${view.siteBase}${themePath(view.look.styling)}` }),
    fonts && el('style', {}, fonts.style),
    script(view),
    shownScripts(view.scripts, consent).map(({ src }) => el('script', { src, async: true })),
  );
}

/** What other programs show of the page. */
function preview({ view, description, canonical, image }: Frame, title: string): Child[] {
  const picture = view.look.socialPreview.url ?? image;
  const about = description === undefined || description === '' ? undefined : description;
  const property = (name: string, content: string | undefined): Child =>
    content === undefined || content === '' ? undefined : el('meta', { property: name, content });
  return [
    about && el('meta', { name: 'description', content: about }),
    property('og:type', 'website'),
    property('og:site_name', view.title),
    property('og:title', title),
    property('og:description', about),
    property('og:url', canonical),
    property('og:image', picture),
    el('meta', { name: 'twitter:card', content: picture === undefined ? 'summary' : 'summary_large_image' }),
  ];
}

function favicon({ look: { favicon: given }, siteBase }: SiteView): Child[] {
  const { icon, emoji } = given;
  if (icon === undefined)
    return [el('link', { rel: ['icon'], href: `${siteBase}${iconPath(emoji)}`, type: 'image/svg+xml' })];
  if (icon.dark === icon.light) return [el('link', { rel: ['icon'], href: icon.light })];
  const link = (href: string, scheme: string) =>
    el('link', { rel: ['icon'], href, media: `(prefers-color-scheme: ${scheme})` });
  return [link(icon.light, 'light'), link(icon.dark, 'dark')];
}

/** The fonts that a page is shown in, loaded before its style says so. */
function fontsFirst({ view, referred }: Frame): Child[] {
  const { font, monospaceFont } = view.look.styling;
  return [font, ...(referred.lines.size > 0 ? [monospaceFont] : [])].map((one) => {
    const file = mainFontFile(one, view.locale);
    const about = { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' };
    return file && el('link', { rel: ['preload'], href: `${view.siteBase}${file}`, ...about });
  });
}

/** The page in other forms. */
function alternates({ alternates: forms = [] }: Frame): Child[] {
  return forms.map(({ type, href, title }) => el('link', { rel: ['alternate'], type, title, href }));
}

/** The page in other languages. */
function languages({ isListed, languages: known = [] }: Frame): Child[] {
  if (!isListed) return [];
  return known.map(({ hreflang, href }) => el('link', { rel: ['alternate'], hrefLang: hreflang, href }));
}

/** The script of the reader, with the texts that it shows. */
function script({ siteBase, say }: SiteView): HtmlNode {
  const texts = {
    dataCopy: say.copy,
    dataCopied: say.copied,
    dataSearchKey: say.searchKey,
  };
  return el('script', { type: 'module', src: `${siteBase}${scriptPath}`, ...texts });
}

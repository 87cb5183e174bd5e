import { classes, el, type HtmlNode } from '../rich-text/html.js';
import { icon } from '../rich-text/icons.js';
import type { SiteView } from '../visit/site-view.js';
import type { Frame } from './frame.js';

const icons = { light: 'sun', dark: 'moon', system: 'sun-moon' } as const;

/** What the visitor has chosen, where they may, else what the site begins with. */
export function themeOf({ default: given, toggeable }: SiteView['look']['themes'], chosen = ''): string {
  return toggeable && Object.hasOwn(icons, chosen) ? chosen : given;
}

/** A form that chooses a theme, and comes back to the page. */
export function themeForm({ view, theme, self }: Frame): HtmlNode | undefined {
  const { say, look } = view;
  if (!look.themes.toggeable) return undefined;
  const present = themeOf(look.themes, theme);
  const buttons = (['light', 'dark', 'system'] as const).map((value) => {
    const chosen = { ariaPressed: value === present ? 'true' : 'false', ariaLabel: say[value], title: say[value] };
    return el('button', { type: 'submit', name: 'theme', value, ...chosen }, icon(icons[value]));
  });
  return el('form', { method: 'post', action: self, ariaLabel: say.theme, ...classes('themes') }, buttons);
}

import { classes, el, type HtmlNode } from '../rich-text/html.js';
import { outside } from '../rich-text/inlines.js';
import { askedScripts } from '../visit/scripts.js';
import type { Frame } from './frame.js';

/** A form that asks whether scripts may set cookies, until the visitor has said so of all of them. */
export function consentForm({ view, consent, self }: Frame): HtmlNode | undefined {
  const { say, look, scripts } = view;
  const asked = askedScripts(scripts, consent);
  if (asked.length === 0) return undefined;
  const { url } = look.privacyPolicy;
  const privacy = url && el('a', { href: url, ...outside({ opensTabs: false }) }, say.privacyPolicy);
  return el(
    'form',
    { method: 'post', action: self, ariaLabel: say.cookies, ...classes('consent') },
    el('p', {}, say.mayCookies, privacy && ' ', privacy),
    el('input', { type: 'hidden', name: 'scripts', value: asked.map(({ id }) => id).join('.') }),
    el('button', { type: 'submit', name: 'cookies', value: 'accepted' }, say.accept),
    el('button', { type: 'submit', name: 'cookies', value: 'declined' }, say.decline),
  );
}

/** A form with which a visitor takes back what they have said. */
export function consentAgain({ view, consent, self }: Frame): HtmlNode | undefined {
  const isAsked = askedScripts(view.scripts, consent).length > 0;
  if (consent === undefined || isAsked || !view.scripts.some(({ setsCookies }) => setsCookies)) return undefined;
  const button = el('button', { type: 'submit', name: 'cookies', value: 'again' }, view.say.cookieSettings);
  return el('form', { method: 'post', action: self, ...classes('consent-again') }, button);
}

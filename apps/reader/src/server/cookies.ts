import { consentFrom, consentText, type Consent } from '../visit/scripts.js';

/** The name of the cookie that has the token of a visitor. */
export const visitorCookie = 'scriptorium-visitor-token';

/** The name of the cookie that has the theme which a visitor has chosen on a site. */
export const themeCookie = 'scriptorium-theme';

/** The name of the cookie that has what a visitor has said about the cookies of scripts. */
const consentCookie = 'scriptorium-cookies';

/** Longer cookies are not kept by browsers. */
const longestToken = 3_800;

/** The value of a cookie of a request. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key = '', ...value] = part.trim().split('=');
    if (key === name) return value.join('=');
  }
  return undefined;
}

const form = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Whether a text can be the token of a visitor, and so a cookie. */
export function isToken(text: string): boolean {
  return text.length <= longestToken && form.test(text);
}

/** Whether a text can be the token of a visitor, but not a cookie. */
export function isTooLong(text: string): boolean {
  return text.length > longestToken && form.test(text);
}

export interface CookiePlace {
  /** The path of the site. */
  path: string;
  isSecure: boolean;
}

/** A cookie for one site, until the browser ends. Nothing but the reader can read it. */
export function setVisitor(token: string, place: CookiePlace): string {
  return `${visitorCookie}=${token}; ${attributes(place)}`;
}

export function removeVisitor(place: CookiePlace): string {
  return `${visitorCookie}=; Max-Age=0; ${attributes(place)}`;
}

const aYear = 365 * 24 * 3_600;

/** The theme of one site, for a year. */
export function setTheme(theme: string, place: CookiePlace): string {
  return `${themeCookie}=${theme}; Max-Age=${aYear}; ${attributes(place)}`;
}

/** What a visitor has said about the cookies of scripts. */
export function consentIn(header: string | undefined): Consent | undefined {
  return consentFrom(cookieIn(header, consentCookie));
}

/** Keeps what a visitor has said for a year; `undefined` forgets it. */
export function setConsent(consent: Consent | undefined, place: CookiePlace): string {
  const age = consent === undefined ? 0 : aYear;
  const value = consent === undefined ? '' : consentText(consent);
  return `${consentCookie}=${value}; Max-Age=${age}; ${attributes(place)}`;
}

function attributes({ path, isSecure }: CookiePlace): string {
  const safe = /^\/[\w.~%!$&'()*+,=:@/-]*$/.test(path) ? path : '/';
  return `Path=${safe}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

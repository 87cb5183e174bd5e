import type { Keyring } from '@scriptorium/platform';
import { callbackCookieStem } from './callback-cookie-name.js';

export const callbackSeconds = 15 * 60;

/** For whom a cookie is: a browser that has begun to connect something to an installation. */
export interface CallbackFor {
  integration: string;
  installation: string;
}

function nameOf(installation: string, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}${callbackCookieStem}${installation}`;
}

/** The cookie of a browser that begins now. `now`: ms. */
export function callbackCookie(
  keys: Pick<Keyring, 'sign' | 'current'>,
  of: CallbackFor,
  { now, isSecure }: { now: number; isSecure: boolean },
): string {
  const until = Math.floor(now / 1000) + callbackSeconds;
  const value = `${keys.current}.${until}.${keys.sign('integration-callback', textOf(of, until))}`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${callbackSeconds}${isSecure ? '; Secure' : ''}`;
  return `${nameOf(of.installation, isSecure)}=${value}; ${attributes}`;
}

/** Whether the cookies of a request have that of an installation. `now`: ms. */
export function hasCallbackCookie(
  keys: Pick<Keyring, 'verify'>,
  of: CallbackFor,
  { cookies, now, isSecure }: { cookies: string | undefined; now: number; isSecure: boolean },
): boolean {
  const begin = `${nameOf(of.installation, isSecure)}=`;
  return (cookies ?? '')
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one.startsWith(begin))
    .some((one) => {
      const [key = '', until = '', mac = ''] = one.slice(begin.length).split('.');
      if (!/^\d{1,12}$/.test(until) || Number(until) * 1000 <= now) return false;
      return keys.verify('integration-callback', textOf(of, Number(until)), mac, key) && mac.length === macLength;
    });
}

const macLength = 64;

function textOf({ integration, installation }: CallbackFor, until: number): string {
  return JSON.stringify([integration, installation, until]);
}

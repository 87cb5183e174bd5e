import { AppError, type Principal } from '@scriptorium/contracts';
import type { Keyring } from '../process/keyring.js';

/**
 * How long a signed principal is accepted, in ms before and after its time. Gateways sign a caller again after 30 s;
 * the rest is for waiting requests and different clocks.
 */
const validForMs = 5 * 60_000;
const macBytes = 16;
const form = new RegExp(`^([\\w-]{1,32})\\.(\\d{1,15})\\.([0-9a-f]{${macBytes * 2}}) (\\{.*\\})$`, 's');
const maxCached = 10_000;
/** Characters of all headers in the cache: those of visitors have claims and spaces. */
const maxCachedCharacters = 16_000_000;

/**
 * Encodes a principal for the header between gateway and services: `key id.ms since 1970.HMAC {principal as JSON}`.
 * Only processes with the keyring can make it, so a service knows that it comes from a gateway or another service.
 */
export function signPrincipal(keys: Keyring, principal: Principal, now: number): string {
  const json = JSON.stringify(principal);
  return `${keys.current}.${now}.${keys.sign('principal', `${now} ${json}`, macBytes)} ${json}`;
}

/**
 * Reads the principal of a header, or null without one.
 * @throws AppError `unavailable` when it is not signed, or too old
 */
export type ReadPrincipal = (header: string | undefined) => Principal | null;

/**
 * Creates the reader of principals. Verified headers are cached, since a caller sends the same one with many requests.
 * `now`: ms since 1970.
 */
export function createPrincipalReader(keys: Keyring, now: () => number = Date.now): ReadPrincipal {
  const verified = new Map<string, { principal: Principal; signedAt: number }>();
  let characters = 0;
  return (header) => {
    if (header === undefined || header === '') return null;
    let found = verified.get(header);
    if (found === undefined) {
      found = verify(keys, header);
      characters += header.length;
      if (verified.size >= maxCached || characters > maxCachedCharacters) {
        verified.clear();
        characters = header.length;
      }
      verified.set(header, found);
    }
    if (Math.abs(now() - found.signedAt) > validForMs) throw notVerified();
    return found.principal;
  };
}

function verify(keys: Keyring, header: string): { principal: Principal; signedAt: number } {
  const [, key = '', signedAt = '', mac = '', json = ''] = form.exec(header) ?? [];
  if (!keys.verify('principal', `${signedAt} ${json}`, mac, key)) throw notVerified();
  const principal = JSON.parse(json) as Principal;
  // Requests share the object, so it is frozen.
  Object.freeze(principal.token);
  return { principal: Object.freeze(principal), signedAt: Number(signedAt) };
}

/**
 * Not `unauthenticated`, since the token of the client may be valid: the installation is not set up correctly, or
 * somebody forges headers.
 */
function notVerified(): AppError {
  const message = 'The service cannot verify the caller: SECRET_KEYS or the clocks of gateway and service differ';
  return new AppError('unavailable', [], { message });
}

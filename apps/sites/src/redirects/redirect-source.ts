import { invalid, partsOfPath } from '@scriptorium/contracts';

/**
 * The path of a redirect as addresses are compared with it: decoded, without empty parts, in NFC. `field`: what names it in the request.
 * @throws AppError `invalid_request` for a path that no address has
 */
export function redirectSource(path: string, field: string): string {
  const parts = partsOfPath(path);
  if (parts === undefined || parts.length === 0) throw invalid(field, 'No address on a site has this path');
  return `/${parts.join('/')}`;
}

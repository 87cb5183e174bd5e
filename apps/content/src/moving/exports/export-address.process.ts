import type { ServiceContext } from '@scriptorium/platform';
import { linksHoldUntil, signatureOf } from '../../versions/index.js';

/** What the address of an export names. */
export interface ExportAddress {
  space: string;
  revision: string;
  /** The name under which it is saved. */
  name: string;
  /** Seconds since 1970. */
  expires: number;
}

/** What is signed. */
export function signedOf({ space, revision, name, expires }: ExportAddress): readonly (string | number)[] {
  return ['export', space, revision, name, expires];
}

/** The address of an export of a revision. Addresses that are made within the same hour are equal. */
export function exportUrl(
  { keys, now }: Pick<ServiceContext, 'keys' | 'now'>,
  origin: string,
  export_: Omit<ExportAddress, 'expires'>,
): string {
  const address = { ...export_, expires: linksHoldUntil(now()) };
  const { space, revision, name, expires } = address;
  const query = `expires=${expires}&signature=${signatureOf(keys, signedOf(address))}`;
  return `${origin}/exports/${space}/${revision}/${encodeURIComponent(name)}?${query}`;
}

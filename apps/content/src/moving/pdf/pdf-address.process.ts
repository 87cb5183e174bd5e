import type { ServiceContext } from '@scriptorium/platform';
import { linksHoldUntil, signatureOf } from '../../versions/index.js';

/** What the address of a PDF names. */
export interface PdfAddress {
  key: string;
  /** The name under which it is saved. */
  name: string;
  /** Seconds since 1970. */
  expires: number;
}

/** What is signed. */
export function signedOf({ key, name, expires }: PdfAddress): readonly (string | number)[] {
  return ['pdf', key, name, expires];
}

/** The address of a PDF. Addresses that are made within the same hour are equal. */
export function pdfUrl(
  { keys, now }: Pick<ServiceContext, 'keys' | 'now'>,
  origin: string,
  { key, name }: Omit<PdfAddress, 'expires'>,
): string {
  const address = { key, name, expires: linksHoldUntil(now()) };
  const query = `expires=${address.expires}&signature=${signatureOf(keys, signedOf(address))}`;
  return `${origin}/pdf/${key}/${encodeURIComponent(name)}?${query}`;
}

const longestName = 80;

/** The name of a file for a title. */
export function fileNameOf(title: string): string {
  const plain = title
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}"*/:<>?\\|]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const short = Array.from(plain).slice(0, longestName).join('').trim();
  return `${short === '' || /^\.+$/.test(short) ? 'document' : short}.pdf`;
}

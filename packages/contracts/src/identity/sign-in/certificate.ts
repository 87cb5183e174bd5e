import * as z from 'zod';

const armour = /-----(?:BEGIN|END) CERTIFICATE-----/g;
const otherArmour = /-\s?BEGIN (?!CERTIFICATE-----)|PRIVATE KEY/i;
/** Base64 of more bytes than a word has; the shortest key is as long. */
const encoded = /[\w+/-]{40,}/g;

/** How lines end where a text was copied out of JSON or XML: written out. */
export const writtenLineEnd = /\\[rn]|&#(?:1[03]|x[aAdD]);/g;

/**
 * One or more certificates: PEM, base64 alone, or the element `X509Certificate`. The service reads them. Every admin
 * can read the field, so a private key, with or without its PEM lines, is refused before it is stored.
 */
export const Certificate = z
  .string()
  .min(1)
  .max(10_000)
  .refine(holdsNoKey, 'Must contain only CERTIFICATE blocks and no private key');

function holdsNoKey(text: string): boolean {
  if (otherArmour.test(text)) return false;
  const parts = text.replace(writtenLineEnd, '').replace(armour, '|').replace(/\s/g, '').match(encoded) ?? [];
  return parts.every(beginsCertificate);
}

const [sequence, integer, version] = [0x30, 0x02, 0xa0];
/** The tags and lengths of a certificate's outer values are within these bytes. */
const bytesLookedAt = 18;

/**
 * Whether base64 begins as a certificate does and ends where its length says (RFC 5280): a sequence that begins with a
 * sequence that begins with a version or a number. No form of a private key begins like that.
 */
function beginsCertificate(text: string): boolean {
  const bytes = [
    ...atob(
      text
        .slice(0, (bytesLookedAt / 3) * 4)
        .replaceAll('-', '+')
        .replaceAll('_', '/'),
    ),
  ].map((byte) => byte.charCodeAt(0));
  const outer = headerAt(bytes, 0);
  const inner = headerAt(bytes, outer.end);
  const first = bytes[inner.end];
  const most = outer.end + outer.length;
  return (
    outer.tag === sequence &&
    inner.tag === sequence &&
    (first === integer || first === version) &&
    Math.floor((text.length * 3) / 4) <= most
  );
}

/** Tag and length of a value in DER, and where its content begins (X.690). */
function headerAt(bytes: readonly number[], at: number): { tag: number | undefined; length: number; end: number } {
  const [tag, short = 0] = bytes.slice(at, at + 2);
  if (short < 0x80) return { tag, length: short, end: at + 2 };
  const end = at + 2 + (short & 0x7f);
  return { tag, length: bytes.slice(at + 2, end).reduce((length, byte) => length * 256 + byte, 0), end };
}

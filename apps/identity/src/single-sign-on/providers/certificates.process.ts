import { X509Certificate } from 'node:crypto';
import { writtenLineEnd } from '@scriptorium/contracts';

/** The certificates in a PEM text. There are two while a provider changes its key. */
export function certificatesOf(pem: string): string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}

const element = /<(?:[\w.-]+:)?X509Certificate(?:\s[^<>]*)?>([^<]*)<\/(?:[\w.-]+:)?X509Certificate\s*>/g;
const block = /-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g;
const base64 = /[A-Za-z0-9+/]+={0,2}/g;

/**
 * The certificates in a text as people copy it: in PEM with any lines and indents, as base64 alone, or as the element
 * `X509Certificate` of a provider's metadata. `null` when something in it cannot be read, or nothing is in it.
 */
export function readCertificates(text: string): X509Certificate[] | null {
  const plain = text.replace(writtenLineEnd, '\n');
  const found = bodiesOf(plain, element) ?? bodiesOf(plain, block) ?? [plain];
  const certificates = found.flatMap(encodedIn).map(readCertificate);
  return certificates.length > 0 && certificates.every((one) => one !== null) ? certificates : null;
}

/** The normal form of certificates: PEM with lines of 64 characters, one certificate after the other. */
export function writeCertificates(certificates: readonly X509Certificate[]): string {
  return certificates.map((one) => one.toString().trimEnd()).join('\n');
}

/**
 * What stands in the parts of a text that match, or null when none does. Base64 beside them is another certificate, and
 * so is a block that does not end.
 */
function bodiesOf(text: string, pattern: RegExp): string[] | null {
  const bodies = [...text.matchAll(pattern)].map(([, body = '']) => body);
  if (bodies.length === 0) return null;
  const beside = text
    .replace(pattern, '\n\n')
    .split(/\n\s*\n/)
    .map((part) => part.replace(/\s/g, ''));
  return [...bodies, ...beside.filter((part) => isArmour.test(part) || isEncoded.test(part))];
}

const isArmour = /-----(?:BEGIN|END)CERTIFICATE-----/;
const isEncoded = /^[A-Za-z0-9+/]{40,}=*$/;

/** The base64 in a text, without its blanks; the text itself when it has something else. Padding ends a certificate. */
function encodedIn(text: string): string[] {
  const joined = text.replace(/-----(?:BEGIN|END) CERTIFICATE-----/g, '').replace(/\s/g, '');
  const found = joined.match(base64) ?? [];
  return found.length > 0 && found.join('') === joined ? found : [joined];
}

function readCertificate(encoded: string): X509Certificate | null {
  const bytes = Buffer.from(encoded, 'base64');
  try {
    const certificate = new X509Certificate(bytes);
    const { publicKey } = certificate;
    return certificate.raw.length === bytes.length && publicKey.type === 'public' ? certificate : null;
  } catch {
    return null;
  }
}

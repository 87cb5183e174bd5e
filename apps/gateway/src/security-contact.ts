import * as z from 'zod';

const contactForm = /^(https:\/\/|mailto:|tel:)[\x21-\x7e]+$/;

/** Settings about reports of weaknesses, by the names of their environment variables. */
export const securitySettings = {
  SECURITY_CONTACT: z
    .string()
    .max(512)
    .regex(contactForm, 'Must begin with https://, mailto: or tel:')
    .optional()
    .describe(
      'Where people report a weakness of the installation: an https:, mailto: or tel: address, shown in /.well-known/security.txt. Without it there is no such file.',
    ),
} as const;

/** Where to report weaknesses of an installation. */
export interface SecurityContact {
  /** A URI: `https:`, `mailto:` or `tel:`. */
  contact: string;
  /** The address of the file; undefined if the installation has no public one with `https:`. */
  canonical: string | undefined;
}

/** The contact that settings name; undefined without one. */
export function securityContact(env: {
  SECURITY_CONTACT?: string | undefined;
  PUBLIC_URL?: string | undefined;
}): SecurityContact | undefined {
  const { SECURITY_CONTACT: contact, PUBLIC_URL: publicUrl } = env;
  if (contact === undefined) return undefined;
  const canonical = publicUrl?.startsWith('https:') === true ? new URL(securityPath, publicUrl).href : undefined;
  return { contact, canonical };
}

/** The path of the file (RFC 9116). */
export const securityPath = '/.well-known/security.txt';

const dayMs = 24 * 60 * 60 * 1000;
/** RFC 9116 recommends less than a year. */
const validDays = 180;

/** The file of a contact. It expires 180 days after the day of `now`, in ms. */
export function securityText({ contact, canonical }: SecurityContact, now: number): string {
  const expires = new Date((Math.floor(now / dayMs) + validDays) * dayMs).toISOString().replace('.000Z', 'Z');
  const lines = [`Contact: ${contact}`, `Expires: ${expires}`];
  if (canonical !== undefined) lines.push(`Canonical: ${canonical}`);
  return `${lines.join('\r\n')}\r\n`;
}

import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const domains = new Set(load('email-providers/all.json') as string[]);

/**
 * Whether a domain belongs to a public mail provider, so that an address says nothing about the organization of its
 * owner.
 */
export function isPublicMailDomain(domain: string): boolean {
  return domains.has(domain.toLowerCase());
}

import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const domains = new Set(load('email-providers/all.json') as string[]);

/** Whether anyone can get an address of this domain, so that it says nothing about who they work for. */
export function isPublicMailDomain(domain: string): boolean {
  return domains.has(domain.toLowerCase());
}

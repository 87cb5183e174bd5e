import { asciiSlug } from '@scriptorium/contracts';

/**
 * The hostname derived from a title: its letters without marks and its digits, joined by single dashes, 3 to 32
 * characters.
 */
export function hostnameOf(title: string): string {
  const slug = asciiSlug(title, 28);
  return slug.length >= 3 ? slug : `org-${slug}`.replace(/-$/, '');
}

/** The n-th hostname to try for a title; the first is the plain one, the second ends in `-2`. */
export function hostnameCandidate(title: string, n: number): string {
  return n === 1 ? hostnameOf(title) : `${hostnameOf(title).slice(0, 31 - String(n).length)}-${n}`;
}

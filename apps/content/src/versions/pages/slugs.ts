import type { ContentTree } from '../object-store/index.js';
import { keys } from './records.js';

const longest = 100;

/**
 * The slug of a title: lower case, letters and digits of all scripts, without the marks of Latin ones, with `-` in
 * place of everything else; `page` when nothing is left.
 */
export function slugOf(title: string): string {
  const slug = title
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-');
  return cut(slug, longest) || 'page';
}

/**
 * The slug that a request gives, in the form in which slugs are compared; that of the title when it gives none, or an
 * empty one.
 */
export function slugFrom(given: string | undefined, title: string): string {
  return given === undefined || given === '' ? slugOf(title) : given.normalize('NFC');
}

/** Cut between characters, without `-` at the ends. */
function cut(slug: string, length: number): string {
  let short = '';
  for (const character of slug.replace(/^-+/, '')) {
    if (short.length + character.length > length) break;
    short += character;
  }
  return short.replace(/-+$/, '');
}

/** Slugs that are looked up at once. */
const atOnce = 64;

/** The slug, or with a number behind it if another page there has it. */
export async function freeSlug(
  tree: ContentTree,
  { parent, slug, id }: { parent: string | undefined; slug: string; id: string },
): Promise<string> {
  const isFree = (taken: unknown): boolean => taken === undefined || taken === id;
  if (isFree(await tree.get(keys.slug(parent, slug)))) return slug;
  for (let first = 1; ; first += atOnce) {
    const wanted = Array.from({ length: atOnce }, (_, i) => numbered(slug, first + i));
    const taken = await tree.getMany(wanted.map((one) => keys.slug(parent, one)));
    const free = wanted.find((one) => isFree(taken.get(keys.slug(parent, one))));
    if (free !== undefined) return free;
  }
}

function numbered(slug: string, number: number): string {
  const suffix = `-${number}`;
  return `${cut(slug, longest - suffix.length)}${suffix}`;
}

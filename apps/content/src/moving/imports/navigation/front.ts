import { parse } from 'yaml';
import { rangeOf, type Entry, type Range } from '../entry.js';
import { mapOf, own, textIn } from './yaml-map.js';

/** What the front matter of a page says of where it belongs. */
export interface Front {
  id?: string;
  slug?: string;
  position?: number;
  label?: string;
}

/** Pages whose front matter is read before they are put in order. */
export const mostFronts = 5_000;

/** Packed bytes of the beginning of a file, and those that stand before them besides its name. */
const [headBytes, beforeBytes] = [2_048, 30 + 512];

/** The bytes that have the beginning of a file, with its header. */
export function headRangeOf(entry: Entry): Range {
  const { start, end, archive } = rangeOf(entry);
  const before = entry.method === 'whole' ? 0 : beforeBytes + entry.name;
  return { archive, start, end: Math.min(end, start + before + headBytes) };
}

/** What the front matter of a page says, by the beginning of its text. */
export function frontOf(text: string): Front {
  const [, front = ''] = /^\ufeff?---[ \t]*\r?\n([^]*?)(?:\r?\n---[ \t]*(?:\r?\n|$)|$)/.exec(text) ?? [];
  // A page may begin with a rule: only these lines count, each by itself.
  const lines = front.match(/^(id|slug|sidebar_position|sidebar_label)[ \t]*:[^\r\n]*/gm) ?? [];
  const given = lines.reduce<Record<string, unknown>>((all, line) => ({ ...all, ...mapIn(line) }), {});
  const [id, slug, label] = ['id', 'slug', 'sidebar_label'].map((key) => textIn(own(given, key)));
  const position = Number(textIn(own(given, 'sidebar_position')) ?? Number.NaN);
  return {
    ...(id === undefined ? {} : { id }),
    ...(slug === undefined ? {} : { slug }),
    ...(label === undefined ? {} : { label }),
    ...(Number.isFinite(position) ? { position } : {}),
  };
}

function mapIn(line: string): Record<string, unknown> {
  try {
    return mapOf(parse(line, { schema: 'core', logLevel: 'error', maxAliasCount: 0 })) ?? {};
  } catch {
    return {};
  }
}

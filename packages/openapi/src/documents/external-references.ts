import { parseText } from '../text/parse-text.js';
import { absolute } from './given-documents.js';
import { refsIn } from './pointers.js';

/** URLs that one text can name. */
const most = 1_000;

/**
 * The URLs of other documents that a text refers to, relative ones seen from `location`. Only URLs of the web: a path
 * of a machine is never one. A text that cannot be read names none.
 */
export function externalReferences(text: string, location: string | null): string[] {
  const urls = new Set<string>();
  for (const ref of refsOf(text)) {
    if (ref.startsWith('#')) continue;
    const url = absolute(ref, location);
    if (url !== null && url !== location && urls.size < most) urls.add(url);
  }
  return [...urls].sort();
}

function refsOf(text: string): Iterable<string> {
  try {
    return refsIn(parseText(text).value);
  } catch {
    return [];
  }
}

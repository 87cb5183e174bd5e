import type { Audience } from '../space-indexes/audience.js';
import type { SearchedContent } from '../space-indexes/search-indexes.process.js';
import type { Matcher } from './matching.js';

/** A search in one content: where, for which words, and for whom. */
export interface Search {
  content: SearchedContent;
  matcher: Matcher;
  audience: Audience;
}

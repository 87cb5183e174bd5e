import type { Call } from '@scriptorium/platform';
import type { ContentPlaces } from '../spaces/index.js';
import type { TextFormat } from '../texts/index.js';
import type { CommentPlace } from './places/comment-place.js';
import type { Showing } from './reading/comments.queries.js';
import { knownTexts, type NewText } from './writing/write-text.process.js';

/** What the caller is shown comments of a place with. `text`: one that this request has written. */
export function showTo(
  call: Call,
  places: ContentPlaces,
  place: CommentPlace,
  { format, text }: { format?: TextFormat | undefined; text?: NewText | undefined },
): Showing {
  return { place, viewer: call.principal.id, format, places, known: knownTexts(text) };
}

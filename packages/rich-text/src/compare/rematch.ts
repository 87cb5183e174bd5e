import { type RichDocument } from '../model/types.js';
export function rematch(next: RichDocument, _previous: RichDocument): RichDocument {
  return next;
}

import type { RichDocumentInput } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { hash, type RichDocument } from '@scriptorium/rich-text';
import type { WrittenText } from '../comment.events.js';
import { findTexts, readText, storeText } from '../../texts/index.js';

/** A text of a request, ready to be named by an event. */
export interface NewText {
  written: WrittenText;
  document: RichDocument;
}

/**
 * Reads the body of a comment or reply. `path`: its field. @throws AppError `invalid_request`, `too_large`, naming the
 * field
 */
export async function readBody(call: Call, given: RichDocumentInput, path = 'body.body'): Promise<NewText> {
  const { document, bytes, mentions } = await readText(call, given, path);
  return { written: { text: call.idFor('text'), bytes, mentions }, document };
}

/** Stores a text before the event that names it. A dry run stores none. `owner`: the comment. */
export async function storeBody(
  call: Call,
  { space, owner }: { space: string; owner: string },
  { written, document }: NewText,
): Promise<void> {
  if (!call.store.dry) await storeText(call, { space, owner, text: written.text }, document);
}

/** The body of an edit; `undefined` for one that says the same as before. */
export async function readChangedBody(
  call: Call,
  given: RichDocumentInput | undefined,
  present: { space: string; owner: string; text: string },
): Promise<NewText | undefined> {
  if (given === undefined) return undefined;
  const [text, known] = await Promise.all([readBody(call, given), findTexts(call, [present])]);
  const before = known.get(present.text) as RichDocument | undefined;
  return before !== undefined && sameText(before, text.document) ? undefined : text;
}

function sameText(before: RichDocument, after: RichDocument): boolean {
  return hash(before, { keys: false }) === hash(after, { keys: false });
}

/** The text that a request has written, by its name: it need not be read, and a dry run has not stored it. */
export function knownTexts(text: NewText | undefined): ReadonlyMap<string, RichDocument> {
  return new Map(text === undefined ? [] : [[text.written.text, text.document]]);
}

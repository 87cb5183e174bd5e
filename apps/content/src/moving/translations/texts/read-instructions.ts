import { invalid, translationBounds, type RichDocumentInput } from '@scriptorium/contracts';
import {
  fromClients,
  parseMarkdown,
  RichTextError,
  toMarkdown,
  validate,
  type RichDocument,
} from '@scriptorium/rich-text';

const bytes = translationBounds.instructionsBytes;
/** Limits of the parser. A text within the limit of bytes never reaches the other two. */
const limits = { maxBytes: bytes, maxNodes: 10_000, maxDepth: 50 };

/** Reads instructions that are given as markdown or as a document. @throws AppError `invalid_request` */
export function readInstructions(given: RichDocumentInput): RichDocument {
  try {
    if ('markdown' in given && typeof given.markdown === 'string')
      return parseMarkdown(given.markdown, { limits }).document;
    const document = fromClients(validate('document' in given ? given.document : given, { limits }));
    if (Buffer.byteLength(toMarkdown(document)) > bytes)
      throw invalid('body.instructions', `Must be at most ${bytes} bytes as markdown`);
    return document;
  } catch (error) {
    if (error instanceof RichTextError) throw invalid('body.instructions', error.message);
    throw error;
  }
}

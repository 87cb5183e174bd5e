import { agentInstructionsBytes, invalid, type RichDocumentInput } from '@scriptorium/contracts';
import {
  fromClients,
  RichTextError,
  parseMarkdown,
  toMarkdown,
  validate,
  type RichDocument,
} from '@scriptorium/rich-text';

/** Limits of the parser. A text within the limit of bytes never reaches the other two. */
const limits = { maxBytes: agentInstructionsBytes, maxNodes: 10_000, maxDepth: 50 };

/**
 * Reads instructions that are given as markdown or as a document. Blocks that are also in `previous` keep their keys.
 * @throws AppError `invalid_request` for an invalid document, and for one that is too large as markdown
 */
export function readInstructions(input: RichDocumentInput, previous?: RichDocument): RichDocument {
  try {
    if ('markdown' in input && typeof input.markdown === 'string') {
      return parseMarkdown(input.markdown, { limits, ...(previous === undefined ? {} : { previous }) }).document;
    }
    const document = fromClients(validate('document' in input ? input.document : input, { limits }));
    if (new TextEncoder().encode(toMarkdown(document)).length > agentInstructionsBytes) {
      throw invalid('body.instructions', `Must be at most ${agentInstructionsBytes} bytes as markdown`);
    }
    return document;
  } catch (error) {
    if (error instanceof RichTextError) throw invalid('body.instructions', error.message);
    throw error;
  }
}

import { RichTextError } from '../model/errors.js';
import { replaceBlocks } from '../model/replace-blocks.js';
import { type Block, type RichDocument } from '../model/types.js';
import { parseMarkdown } from './parse.js';

/**
 * The document with what markdown says in the place of some blocks. `markdownOf` gives nothing for those that stay; so
 * does one whose markdown is too complex.
 */
export function withParsedBlocks(
  document: RichDocument,
  markdownOf: (block: Block) => string | null | undefined,
): RichDocument {
  return replaceBlocks(document, (block) => {
    const text = markdownOf(block);
    if (text === null || text === undefined) return undefined;
    try {
      return parseMarkdown(text).document.nodes;
    } catch (error) {
      if (error instanceof RichTextError) return undefined;
      throw error;
    }
  });
}

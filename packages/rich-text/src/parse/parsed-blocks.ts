import { RichTextError } from '../model/errors.js';
import { replaceBlocks } from '../model/replace-blocks.js';
import { type Block, type RichDocument } from '../model/types.js';
import { apiBlocks } from '../text/api-blocks.js';
import { parseMarkdown } from './parse.js';

/**
 * The document with markdown in the place of the blocks that show parts of APIs. `markdownOf` gets all of them, and
 * gives a text for each, or `null` for one that stays.
 */
export function withApiBlocksWritten(
  document: RichDocument,
  markdownOf: (blocks: readonly Block[]) => readonly (string | null)[],
): RichDocument {
  const blocks = apiBlocks(document);
  if (blocks.length === 0) return document;
  const texts = markdownOf(blocks);
  const written = new Map(blocks.map((block, place) => [block, texts[place]]));
  return withParsedBlocks(document, (block) => written.get(block));
}

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

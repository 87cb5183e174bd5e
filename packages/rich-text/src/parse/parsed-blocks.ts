import { inline, paragraph, text } from '../model/build.js';
import { RichTextError } from '../model/errors.js';
import { isObject, isRef } from '../model/json.js';
import { replaceBlocks } from '../model/replace-blocks.js';
import { type Block, type RichDocument } from '../model/types.js';
import { apiBlocks } from '../text/api-blocks.js';
import { parseMarkdown } from './parse.js';

/**
 * The document with markdown in the place of the blocks that show parts of APIs, and with plain links in that of blocks
 * that lead to the whole of one. `markdownOf` gets all of the former, and gives a text for each, or `null` for one that
 * stays.
 */
export function withApiBlocksWritten(
  document: RichDocument,
  markdownOf: (blocks: readonly Block[]) => readonly (string | null)[],
): RichDocument {
  const linked = replaceBlocks(document, (block) => {
    const link = linkToSpecification(block);
    return link && [link];
  });
  const blocks = apiBlocks(linked);
  if (blocks.length === 0) return linked;
  const texts = markdownOf(blocks);
  const written = new Map(blocks.map((block, place) => [block, texts[place]]));
  return withParsedBlocks(linked, (block) => written.get(block));
}

/** A link to a specification that can be downloaded, in the place of the block that leads to it. */
function linkToSpecification({ type, data }: Block): Block | undefined {
  const { ref, resolved, title } = data;
  if (type !== 'content-ref' || !isRef(ref) || ref['kind'] !== 'openapi' || !isObject(resolved)) return undefined;
  const { href } = resolved;
  if (typeof href !== 'string' || href === '') return undefined;
  const name = typeof title === 'string' && title !== '' ? title : href.slice(href.lastIndexOf('/') + 1);
  return paragraph([text(''), inline('link', { ref: { kind: 'url', url: href } }, [text(name)]), text('')]);
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
    const written = markdownOf(block);
    if (written === null || written === undefined) return undefined;
    try {
      return parseMarkdown(written).document.nodes;
    } catch (error) {
      if (error instanceof RichTextError) return undefined;
      throw error;
    }
  });
}

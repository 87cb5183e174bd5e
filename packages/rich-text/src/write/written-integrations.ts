import { block, inline, paragraph, text } from '../model/build.js';
import { replaceBlocks } from '../model/replace-blocks.js';
import { type Block, type InlineNode, type RichDocument } from '../model/types.js';
import { integrationCard } from '../text/integration-blocks.js';

/**
 * The document with a line of text in the place of each block of an integration: what it is called, where it leads and
 * what it says. For those who read a page and cannot have a component shown.
 */
export function withIntegrationsWritten(document: RichDocument): RichDocument {
  return replaceBlocks(document, (node) => (node.type === 'integration' ? written(node) : undefined));
}

function written(node: Block): Block[] {
  const { title, description, url, content } = integrationCard(node);
  const named: InlineNode[] =
    url === undefined
      ? [text(title, [{ object: 'mark', type: 'bold' }])]
      : [text(''), inline('link', { ref: { kind: 'url', url } }, [text(title)])];
  const about = paragraph([...named, text(description === '' ? '' : `: ${description}`)]);
  if (content.trim() === '') return [about];
  const lines = content.split('\n').map((line) => block('code-line', {}, [text(line)]));
  return [about, block('code', {}, lines)];
}

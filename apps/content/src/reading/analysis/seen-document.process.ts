import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import type { Node, RichDocument } from '@scriptorium/rich-text/reading';
import type { seeText } from './analyse.task.js';
import { seeDocument, type SeenWith } from './see-document.js';

const seeTask = workerTask<typeof seeText>({
  name: 'see_document',
  module: compiledModule('./analyse.task.js', import.meta.url),
  run: 'seeText',
  withinMs: 10_000,
});

/** A document that is longer is worked on in a worker: it would keep other requests waiting. */
const longestInline = 65_536;
/** About how many characters a node has as JSON, besides its text. */
const charactersOfNode = 64;

/** The document as somebody sees it. */
export async function seenDocument(
  { workers }: Pick<Scope, 'workers'>,
  document: RichDocument,
  { seen, mode }: SeenWith,
): Promise<RichDocument> {
  if (!isLong(document)) return seeDocument(document, seen, mode);
  return JSON.parse(await workers.run(seeTask, { text: JSON.stringify(document), seen, mode })) as RichDocument;
}

/** Whether a document is so long that it is worked on in a worker. It is looked at only until that is known. */
export function isLong({ nodes }: RichDocument): boolean {
  let length = 0;
  const open: Node[] = [...nodes];
  for (let node = open.pop(); node !== undefined && length <= longestInline; node = open.pop()) {
    length += charactersOfNode;
    if (node.object === 'text') for (const { text } of node.leaves) length += charactersOfNode + text.length;
    else open.push(...(node.nodes ?? []), ...(node.fragments ?? []).flatMap((fragment) => fragment.nodes));
  }
  return length > longestInline;
}

import { formatLinkByDefault, type ResolveLink } from '../model/refs.js';
import { type ContentRef, type RichDocument } from '../model/types.js';
import { links } from '../text/links.js';

/**
 * Resolves links as `resolve` does. A link whose target is not found keeps the reference that the previous document has
 * for the same address: the target may come back, and a client that writes back the text that it has read did not
 * remove the link.
 */
export function withPreviousReferences(resolve: ResolveLink, previous: RichDocument | undefined): ResolveLink {
  if (previous === undefined) return resolve;
  let references: ReadonlyMap<string, ContentRef> | undefined;
  return (url, use) => {
    const found = resolve(url, use);
    if (found !== null) return found;
    references ??= referencesByAddress(previous);
    return references.get(url) ?? null;
  };
}

function referencesByAddress(document: RichDocument): Map<string, ContentRef> {
  const byAddress = new Map<string, ContentRef>();
  for (const { ref } of links(document)) {
    const address = formatLinkByDefault(ref, 'stable');
    if (ref.kind !== 'url' && typeof address === 'string') byAddress.set(address, ref);
  }
  return byAddress;
}

import { formatLinkByDefault, type ResolveLink } from '../model/refs.js';
import { type ContentRef, type RichDocument } from '../model/types.js';
import { links } from '../text/links.js';

/**
 * Resolves links as `resolve` does. One that leads nowhere keeps the reference that the former document has for the
 * same address: what it leads to may come back, and whoever writes back a text that was read has not removed it.
 */
export function keepingReferences(resolve: ResolveLink, previous: RichDocument | undefined): ResolveLink {
  if (previous === undefined) return resolve;
  let former: ReadonlyMap<string, ContentRef> | undefined;
  return (url, use) => {
    const found = resolve(url, use);
    if (found !== null) return found;
    former ??= referencesByAddress(previous);
    return former.get(url) ?? null;
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

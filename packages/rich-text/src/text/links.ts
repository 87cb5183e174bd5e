import { blocksThat } from '../model/content.js';
import { isObject, isRef } from '../model/json.js';
import { type ContentRef, type Data, type Json, type RichDocument } from '../model/types.js';
import { walk } from '../model/walk.js';

/** A reference found in a document: where, what to, and whether the page cannot be shown without its target. */
export type FoundLink = {
  node: string;
  type: string;
  property: string;
  ref: ContentRef;
  relation: 'reference' | 'dependsOn';
};

const DEPENDING: ReadonlySet<string> = new Set([...blocksThat((form) => form.needsTarget === true), 'inline-image']);

/** Every reference with the key of its node, in reading order. `property` is its path in the node's data. */
export function links(document: RichDocument): FoundLink[] {
  const found: FoundLink[] = [];
  walk(document, (node) => {
    if (node.object !== 'block' && node.object !== 'inline') return;
    const key = node.key ?? '';
    const pictures = node.type === 'table' ? pictureColumns(node.data) : null;
    const depends = (property: string): boolean =>
      DEPENDING.has(node.type) || (pictures !== null && property.split('.').some((part) => pictures.has(part)));
    const add = (ref: ContentRef, property: string): void =>
      void found.push({
        node: key,
        type: node.type,
        property,
        ref,
        relation: depends(property) ? 'dependsOn' : 'reference',
      });
    // The data itself is no reference, even where it has a `kind` (a button's).
    searchMembers(node.data, '', add);
    if (node.type === 'embed' && typeof node.data['url'] === 'string')
      add({ kind: 'url', url: node.data['url'] }, 'url');
  });
  return found;
}

/** The columns of a table that are shown as pictures, those of the covers of cards among them. */
function pictureColumns({ view, definition }: Data): Set<string> {
  const covers = isObject(view)
    ? [view['coverDefinition'], view['coverDefinitionDark']].filter((id) => typeof id === 'string')
    : [];
  const images = Object.entries(isObject(definition) ? definition : {}).filter(
    ([, column]) => isObject(column) && column['type'] === 'image',
  );
  return new Set([...covers, ...images.map(([id]) => id)]);
}

function search(value: Json | undefined, path: string, add: (ref: ContentRef, property: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!isRef(value)) searchMembers(value, path, add);
  else if (value.kind !== 'unresolved') add(value, path);
}

function searchMembers(value: Json[] | Data, path: string, add: (ref: ContentRef, property: string) => void): void {
  for (const [name, member] of Object.entries(value))
    // Properties of integrations, and what references were resolved to, are no references, whatever they look like.
    if (name !== 'props' && name !== 'resolved') search(member, path === '' ? name : `${path}.${name}`, add);
}

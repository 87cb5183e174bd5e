import { entriesOf, members } from '@scriptorium/openapi/shown';
import { apiBlocks, type RichDocument } from '@scriptorium/rich-text';
import type { SchemaSource, SharedByCards } from '../render-context.js';

/** Properties of a card, and of all cards of a page, which share them; none has less than the least. */
const properties = { card: 500, page: 5_000, least: 40 };
/** What is shown behind the text: schemas, and their properties. */
const behind = { schemas: 200, properties: 3_000 };
const mostMarkdown = 100_000;

/** What the cards of a page share. */
export function sharedByCards(document: RichDocument): SharedByCards {
  const cards = apiBlocks(document).length;
  const share = Math.max(properties.least, Math.min(properties.card, Math.floor(properties.page / Math.max(1, cards))));
  return { share: { properties: share }, left: { markdown: mostMarkdown }, ...linkedSchemas() };
}

interface Linked {
  source: SchemaSource;
  name: string;
  id: string;
  isShown: boolean;
}

/** Schemas by the ids at which they are shown, of all specifications of a page. */
function linkedSchemas(): Pick<SharedByCards, 'idOf' | 'idHere' | 'next'> {
  const known = new Map<string, Linked>();
  const ids = new Set<string>();
  const waiting: Linked[] = [];
  const left = { ...behind };
  const keyOf = ({ spec }: SchemaSource, name: string): string => JSON.stringify([spec, name]);
  const add = (source: SchemaSource, name: string, isShown: boolean): Linked => {
    const linked = { source, name, id: freeId(name, ids), isShown };
    known.set(keyOf(source, name), linked);
    return linked;
  };
  return {
    idOf(source, name) {
      const before = known.get(keyOf(source, name));
      if (before !== undefined) return before.id;
      const cost = costOf(source.schemas[name]);
      if (left.schemas === 0 || left.properties < cost) return undefined;
      left.schemas -= 1;
      left.properties -= cost;
      const linked = add(source, name, false);
      waiting.push(linked);
      return linked.id;
    },
    idHere(source, name) {
      const linked = known.get(keyOf(source, name)) ?? add(source, name, false);
      if (linked.isShown) return undefined;
      linked.isShown = true;
      return linked.id;
    },
    next() {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) if (!one.isShown) return one;
      return undefined;
    },
  };
}

/** Properties that a schema has at the least, when it is shown. */
function costOf(schema: unknown): number {
  return 1 + Math.min(properties.card, entriesOf(members(schema)['properties']).length);
}

/** An id for a schema that nothing else has: two specifications may have schemas of one name. */
function freeId(name: string, ids: Set<string>): string {
  const wanted = `schema-${name.replace(/[^\w.-]+/g, '-')}`;
  let id = wanted;
  for (let number = 2; ids.has(id); number += 1) id = `${wanted}-${number}`;
  ids.add(id);
  return id;
}

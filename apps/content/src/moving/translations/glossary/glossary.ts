import { AppError, blaming, limitReached } from '@scriptorium/contracts';
import { defineAggregate } from '@scriptorium/event-sourcing';
import { glossaryEvents, type GlossaryEvent } from './glossary.events.js';

export interface Glossary {
  isClosed: boolean;
  /** The names of what its entries say, by their ids. */
  terms: ReadonlyMap<string, string>;
  /** How many times it was changed. */
  changes: number;
}

const initial: Glossary = { isClosed: false, terms: new Map(), changes: 0 };

/** The glossary of an organization: how its terms are called in every language. */
export const glossary = defineAggregate({
  service: 'content',
  entity: 'glossary',
  events: glossaryEvents,
  initial,
  evolve,
});

function evolve(state: Glossary, event: GlossaryEvent): Glossary {
  switch (event.type) {
    case 'GlossaryChanged': {
      const { inserted, updated, text } = event.data;
      const terms = new Map(state.terms);
      for (const id of [...inserted, ...updated]) terms.set(id, text);
      for (const id of event.data.deleted) terms.delete(id);
      return { ...state, terms, changes: state.changes + 1 };
    }
    case 'GlossaryClosed':
      return { ...state, isClosed: true, terms: new Map() };
    default:
      return state;
  }
}

/** What changes one term; new ones have got their id already. */
export interface TermChange {
  type: 'insert' | 'update' | 'delete';
  id: string;
}

interface Changes {
  changes: readonly TermChange[];
  /** The name of what the inserted and updated ones say. */
  text: string;
  limit: number;
}

/**
 * All changes together, or none of them. Deleting a term that is gone is no change.
 * @throws AppError `invalid_request` naming the operation whose term is not there or is named before, `limit_reached`,
 *   `not_found` for an organization that is gone
 */
export function change(state: Glossary, { changes, text, limit }: Changes): GlossaryEvent[] {
  if (state.isClosed) throw new AppError('not_found');
  const seen = new Set<string>();
  changes.forEach(({ type, id }, i) => {
    const path = `body.operations[${i}].id`;
    if (seen.has(id)) throw blaming('invalid_request', path, 'An operation before names this entry');
    seen.add(id);
    if (type === 'update' && !state.terms.has(id)) throw blaming('invalid_request', path, 'There is no such entry');
  });
  const of = (type: TermChange['type']) => changes.filter((one) => one.type === type).map(({ id }) => id);
  const inserted = of('insert').filter((id) => !state.terms.has(id));
  const deleted = of('delete').filter((id) => state.terms.has(id));
  if (inserted.length > 0 && state.terms.size + inserted.length - deleted.length > limit)
    throw limitReached('glossaryEntriesPerOrganization', limit);
  const ids = { inserted, updated: of('update'), deleted };
  if (Object.values(ids).every(({ length }) => length === 0)) return [];
  return [{ type: 'GlossaryChanged', data: { ...ids, text } }];
}

/** The organization was deleted. */
export function close(state: Glossary): GlossaryEvent[] {
  return state.isClosed ? [] : [{ type: 'GlossaryClosed', data: {} }];
}

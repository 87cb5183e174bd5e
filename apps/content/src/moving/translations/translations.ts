import { AppError, blaming, limitReached, translationBounds } from '@scriptorium/contracts';
import { defineAggregate } from '@scriptorium/event-sourcing';
import { translationListEvents, type TranslationListEvent } from './translations.events.js';

type Created = Extract<TranslationListEvent, { type: 'TranslationCreated' }>['data'];
type Translation = Omit<Created, 'translation'>;

export interface Translations {
  isClosed: boolean;
  all: ReadonlyMap<string, Translation>;
}

const initial: Translations = { isClosed: false, all: new Map() };

/** The translations of an organization. */
export const translations = defineAggregate({
  service: 'content',
  entity: 'translations',
  events: translationListEvents,
  initial,
  evolve,
});

function evolve(state: Translations, event: TranslationListEvent): Translations {
  const all = new Map(state.all);
  switch (event.type) {
    case 'TranslationCreated': {
      const { translation, ...rest } = event.data;
      return { ...state, all: all.set(translation, rest) };
    }
    case 'TranslationDeleted':
      all.delete(event.data.translation);
      return { ...state, all };
    case 'TranslationsClosed':
      return { ...state, isClosed: true };
    default:
      return state;
  }
}

interface NewTranslation extends Created {
  /** The language of the source space; `undefined` when none is set. */
  spaceLanguage: Created['from'] | undefined;
  limit: number;
}

/**
 * @throws AppError `invalid_request` naming the language, `conflict` when there is such a translation or the source is
 *   the result of one, `limit_reached`, `not_found` for an organization that is gone
 */
export function create(state: Translations, wanted: NewTranslation): TranslationListEvent[] {
  if (state.isClosed) throw new AppError('not_found');
  const { spaceLanguage, limit, ...created } = wanted;
  if (spaceLanguage !== undefined && spaceLanguage !== created.from)
    throw blaming('invalid_request', 'body.source.language', `The space is in the language ${spaceLanguage}`);
  if (created.language === created.from)
    throw blaming('invalid_request', 'body.language', 'The source is in this language already');
  requireFree(state, created);
  if (state.all.size >= limit) throw limitReached('translationsPerOrganization', limit);
  const { languages } = translationBounds;
  if (ofSource(state, created.source).length >= languages)
    throw new AppError('limit_reached', [], { message: `A space is translated into at most ${languages} languages` });
  return [{ type: 'TranslationCreated', data: created }];
}

function requireFree(state: Translations, { source, language }: Created): void {
  for (const other of state.all.values()) {
    if (other.result === source)
      throw blaming('conflict', 'body.source.space', 'The space is itself the result of a translation');
    if (other.source === source && other.language === language)
      throw blaming('conflict', 'body.language', 'The space is translated into this language already');
  }
}

/** The translations of a space. */
export function ofSource({ all }: Translations, source: string): string[] {
  return [...all].filter(([, other]) => other.source === source).map(([id]) => id);
}

export function remove(state: Translations, translation: string): TranslationListEvent[] {
  return state.all.has(translation) ? [{ type: 'TranslationDeleted', data: { translation } }] : [];
}

/** Spaces were purged or belong to another organization: the translations of them, and those that make them, end. */
export function removeOfSpaces(state: Translations, spaces: readonly string[]): TranslationListEvent[] {
  const gone = new Set(spaces);
  const ended = [...state.all].filter(([, { source, result }]) => gone.has(source) || gone.has(result));
  return ended.flatMap(([translation]) => remove(state, translation));
}

/** The organization was deleted. */
export function close(state: Translations): TranslationListEvent[] {
  if (state.isClosed) return [];
  return [...[...state.all.keys()].flatMap((id) => remove(state, id)), { type: 'TranslationsClosed', data: {} }];
}

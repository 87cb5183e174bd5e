import { AppError } from '@scriptorium/contracts';
import { defineAggregate } from '@scriptorium/event-sourcing';
import { translationEvents, type TranslationEvent } from './translation.events.js';

type DataOf<T extends TranslationEvent['type']> = Extract<TranslationEvent, { type: T }>['data'];

/**
 * What the next run does besides translating what has changed in the source. Numbers are those of requests: a text that
 * a run has asked for counts when that run answers the request, and is asked for again when it answers only earlier
 * ones. 0 stands for no request. `full` and `allTerms` stay: they also hold for pages that are not there now.
 */
export interface Wish {
  /** Whether all pages are looked at. */
  isWide: boolean;
  /** Pages that are looked at although they have not changed. */
  pages: readonly string[];
  /** The latest request for all texts. */
  full: number;
  /** The latest request for the texts of a page, by its id. */
  forced: ReadonlyMap<string, number>;
  /** The latest request for all texts with terms of the glossary. */
  allTerms: number;
  /** The latest request for the texts with a term, by the id of its entry. */
  terms: ReadonlyMap<string, number>;
}

export interface Translation {
  isEnded: boolean;
  instructions: string | null;
  /** How many times a run was requested, and how many of these are answered. */
  requests: number;
  answered: number;
  running: { run: string; request: number; revision: string | null; wish: Wish } | null;
  /** What the requests ask for that no run has begun to answer. */
  wish: Wish;
  /** The revision of the source that was translated last; null before. */
  translated: string | null;
}

const noWish: Wish = { isWide: false, pages: [], full: 0, forced: new Map(), allTerms: 0, terms: new Map() };
/** Beyond as many pages, all are looked at; beyond as many terms, the texts with any of them are translated again. */
const mostNamed = 1_000;

const initial: Translation = {
  isEnded: false,
  instructions: null,
  requests: 0,
  answered: 0,
  running: null,
  wish: noWish,
  translated: null,
};

/** One translation of a space: what was requested, and the run that answers it. */
export const translation = defineAggregate({
  service: 'content',
  entity: 'translation',
  events: translationEvents,
  initial,
  evolve,
});

function evolve(state: Translation, event: TranslationEvent): Translation {
  switch (event.type) {
    case 'TranslationRunRequested': {
      const requests = state.requests + 1;
      return { ...state, requests, wish: bothWishes(state.wish, wishOf(event.data, requests)) };
    }
    case 'TranslationRunStarted': {
      const { full, allTerms } = state.wish;
      return { ...state, running: { ...event.data, wish: state.wish }, wish: { ...noWish, full, allTerms } };
    }
    case 'TranslationRunCompleted':
      return { ...ended(state), translated: state.running?.revision ?? state.translated };
    case 'TranslationRunFailed':
      // What was asked for is still to be done: the next run does it, whatever requests that one.
      return { ...ended(state), wish: bothWishes(state.wish, state.running?.wish ?? noWish) };
    case 'TranslationInstructionsChanged':
      return { ...state, instructions: event.data.text };
    case 'TranslationEnded':
      return { ...state, isEnded: true, running: null };
    case 'TranslationSegmentPinned':
    case 'TranslationSegmentUnpinned':
      return state;
    default:
      return state;
  }
}

function ended(state: Translation): Translation {
  return { ...state, running: null, answered: state.running?.request ?? state.answered };
}

function wishOf(
  { cause, pages = [], terms = [], force = false }: DataOf<'TranslationRunRequested'>,
  request: number,
): Wish {
  const isFull = cause === 'instructions' || (force && pages.length === 0);
  const numbered = (names: readonly string[]) => new Map(names.map((name) => [name, request]));
  return bounded({
    isWide: isFull || terms.length > 0,
    pages,
    full: isFull ? request : 0,
    forced: numbered(force ? pages : []),
    allTerms: 0,
    terms: numbered(terms),
  });
}

function bothWishes(a: Wish, b: Wish): Wish {
  return bounded({
    isWide: a.isWide || b.isWide,
    pages: [...new Set([...a.pages, ...b.pages])],
    full: Math.max(a.full, b.full),
    forced: latest(a.forced, b.forced),
    allTerms: Math.max(a.allTerms, b.allTerms),
    terms: latest(a.terms, b.terms),
  });
}

/** The later request of each name. */
function latest(a: Wish['terms'], b: Wish['terms']): Wish['terms'] {
  const both = new Map(a);
  for (const [name, request] of b) both.set(name, Math.max(request, both.get(name) ?? 0));
  return both;
}

/** A wish that names no more than it may, and nothing that it asks for otherwise. */
function bounded({ isWide, pages, full, forced, allTerms, terms }: Wish): Wish {
  const after = (named: Wish['terms'], than: number) => new Map([...named].filter(([, request]) => request > than));
  const newest = (named: Wish['terms'], than: number) =>
    named.size > mostNamed ? Math.max(...named.values(), than) : than;
  const all = newest(after(forced, full), full);
  const ofTerms = newest(after(terms, all), allTerms);
  const wide = isWide || pages.length > mostNamed;
  return {
    isWide: wide,
    pages: wide ? [] : pages,
    full: all,
    forced: after(forced, all),
    allTerms: ofTerms,
    terms: after(terms, Math.max(all, ofTerms)),
  };
}

/** The earliest request whose answer counts for a segment with these terms on a page. */
export function wantedSince(
  { full, forced, allTerms, terms }: Wish,
  { page, terms: contained }: { page: string; terms: readonly string[] },
): number {
  const ofTerms = contained.map((term) => Math.max(allTerms, terms.get(term) ?? 0));
  return Math.max(full, forced.get(page) ?? 0, ...ofTerms);
}

/** As clients see it. A request while a run is at work is answered by the next one. */
export function statusOf({ running, requests, answered }: Translation): 'pending' | 'running' | 'completed' {
  if (running !== null) return 'running';
  return requests > answered ? 'pending' : 'completed';
}

/** Whether a run is to be started: something was requested, and none is at work. */
export const isWaiting = (state: Translation): boolean => !state.isEnded && statusOf(state) === 'pending';

/** Requests a run. While one waits that does the same, nothing has to be added. */
export function requestRun(state: Translation, data: DataOf<'TranslationRunRequested'>): TranslationEvent[] {
  if (state.isEnded) throw new AppError('not_found');
  const begun = state.running?.request ?? state.answered;
  const waits = state.requests > begun;
  const adds = jsonOf(bothWishes(state.wish, wishOf(data, begun + 1))) !== jsonOf(state.wish);
  return waits && !adds ? [] : [{ type: 'TranslationRunRequested', data }];
}

const jsonOf = (wish: Wish): string => JSON.stringify({ ...wish, forced: [...wish.forced], terms: [...wish.terms] });

/** Other instructions: any sentence may read differently with them. `text`: their name. */
export function instruct(state: Translation, text: string | null): TranslationEvent[] {
  if (state.isEnded) throw new AppError('not_found');
  if (text === state.instructions) return [];
  return [{ type: 'TranslationInstructionsChanged', data: { text } }, ...requestRun(state, { cause: 'instructions' })];
}

/** A segment, and the pages that it stands on, with others that read the same. */
interface PinnedSegment {
  segment: string;
  pages: readonly string[];
  isPinned: boolean;
}

/** A correction was given for a segment, or taken back. It comes into the result by a run. */
export function pin(state: Translation, { segment, pages, isPinned }: PinnedSegment): TranslationEvent[] {
  const type = isPinned ? 'TranslationSegmentPinned' : 'TranslationSegmentUnpinned';
  return [{ type, data: { segment } }, ...requestRun(state, { cause: 'pin', pages: [...pages] })];
}

/** The translation begins: its instructions, if there are any, and its first run. Nothing when it has begun. */
export function open(state: Translation, text: string | null): TranslationEvent[] {
  if (state.isEnded || state.requests > 0) return [];
  const instructed = text === null ? [] : [{ type: 'TranslationInstructionsChanged' as const, data: { text } }];
  return [...instructed, { type: 'TranslationRunRequested', data: { cause: 'create' } }];
}

/** A run begins. Nothing when it has begun, another one is at work, or nothing is waiting. */
export function begin(state: Translation, run: string, revision: string | null): TranslationEvent[] {
  if (!isWaiting(state)) return [];
  return [{ type: 'TranslationRunStarted', data: { run, request: state.requests, revision } }];
}

/** What a run has come to. */
export type Outcome = Omit<DataOf<'TranslationRunCompleted'>, 'run'> | Omit<DataOf<'TranslationRunFailed'>, 'run'>;

/** A run has ended. Nothing when the translation is gone, or another run is at work. */
export function record(state: Translation, run: string, outcome: Outcome): TranslationEvent[] {
  if (state.running?.run !== run) return [];
  if ('reason' in outcome) return [{ type: 'TranslationRunFailed', data: { run, ...outcome } }];
  return [{ type: 'TranslationRunCompleted', data: { run, ...outcome } }];
}

/** The translation was deleted. */
export function end(state: Translation): TranslationEvent[] {
  return state.isEnded ? [] : [{ type: 'TranslationEnded', data: {} }];
}

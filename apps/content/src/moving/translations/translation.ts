import { AppError } from '@scriptorium/contracts';
import { defineAggregate, type Metadata } from '@scriptorium/event-sourcing';
import { translationEvents, type TranslationEvent } from './translation.events.js';

type DataOf<T extends TranslationEvent['type']> = Extract<TranslationEvent, { type: T }>['data'];

/** What the next run does besides translating what has changed in the source. */
export interface Wish {
  /** Whether everything is translated again, except what is pinned. */
  isFull: boolean;
  /** Pages that are translated although they have not changed, and those for which the memory is not used. */
  pages: readonly string[];
  forced: readonly string[];
  /** Entries of the glossary whose segments are translated again. */
  terms: readonly string[];
  /** Of what is translated again, texts that were given before this moment do not count; ms since 1970. */
  since: number;
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

const noWish: Wish = { isFull: false, pages: [], forced: [], terms: [], since: 0 };
/** Beyond as many pages or terms, everything is looked at. */
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

function evolve(state: Translation, event: TranslationEvent, { time }: Metadata): Translation {
  switch (event.type) {
    case 'TranslationRunRequested':
      return { ...state, requests: state.requests + 1, wish: bothWishes(state.wish, wishOf(event.data, time)) };
    case 'TranslationRunStarted':
      return { ...state, running: { ...event.data, wish: state.wish }, wish: noWish };
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
  time?: string,
): Wish {
  const isFull = cause === 'instructions' || (force && pages.length === 0);
  const isAgain = isFull || force || terms.length > 0;
  const since = isAgain && time !== undefined ? Date.parse(time) : 0;
  return { isFull, pages, forced: force ? pages : [], terms, since };
}

function bothWishes(a: Wish, b: Wish): Wish {
  const union = (name: 'pages' | 'forced' | 'terms') => [...new Set([...a[name], ...b[name]])];
  const both = { pages: union('pages'), forced: union('forced'), terms: union('terms') };
  const since = Math.max(a.since, b.since);
  const isTooMuch = Object.values(both).some(({ length }) => length > mostNamed);
  return a.isFull || b.isFull || isTooMuch ? { ...noWish, isFull: true, since } : { isFull: false, ...both, since };
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
  const waits = state.requests > (state.running?.request ?? state.answered);
  const adds = JSON.stringify(bothWishes(state.wish, wishOf(data))) !== JSON.stringify(state.wish);
  return waits && !adds ? [] : [{ type: 'TranslationRunRequested', data }];
}

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

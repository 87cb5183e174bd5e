import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { translationEvents } from './translation.events.js';
import { translationListEvents } from './translations.events.js';

type ListEvent = EventOf<typeof listed>;
type Created = Extract<ListEvent, { type: 'TranslationCreated' }>['data'];
type RunEvent = EventOf<typeof running>;
type DataOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>['data'];
type Usage = DataOf<'TranslationRunCompleted'>['usage'];

const listed = translationListEvents.pick('TranslationCreated', 'TranslationDeleted');
const running = translationEvents.pick(
  'TranslationRunRequested',
  'TranslationRunStarted',
  'TranslationRunCompleted',
  'TranslationRunFailed',
  'TranslationInstructionsChanged',
  'TranslationEnded',
);

/** A translation without what people have written. */
export interface TranslationDocument {
  organization: string;
  source: string;
  from: Created['from'];
  language: Created['language'];
  /** The space of the result; there is none before the first run has made it. */
  result: string;
  createdAt: string;
  updatedAt: string;
  /** The name of the instructions. */
  instructions: string | null;
  /** Whether something is requested that no run has begun to answer. */
  waiting: boolean;
  /** The run that is at work. */
  run: string | null;
  /** The newest translated revision of the result. */
  revision: string | null;
  runs: number;
  words: number;
  pages: number;
  seconds: number;
  latest: { pages: number; words: number; seconds: number };
  usage: { latest: Usage; total: Usage };
  lastError: { reason: DataOf<'TranslationRunFailed'>['reason']; at: string } | null;
}

const noUsage: Usage = { characters: 0, promptTokens: 0, completionTokens: 0 };

/** A translation of which only its own stream is known. */
const unlisted: TranslationDocument = {
  ...{ organization: '', source: '', from: 'en', language: 'en', result: '', createdAt: '', updatedAt: '' },
  ...{ instructions: null, waiting: true, run: null, revision: null, runs: 0, words: 0, pages: 0, seconds: 0 },
  latest: { pages: 0, words: 0, seconds: 0 },
  usage: { latest: noUsage, total: noUsage },
  lastError: null,
};

function writes(event: Recorded<ListEvent | RunEvent>): Write<TranslationDocument>[] {
  const { time } = event.meta;
  switch (event.type) {
    case 'TranslationCreated': {
      const { translation, ...rest } = event.data;
      const dates = { createdAt: time, updatedAt: time };
      return [{ put: translation, doc: { ...unlisted, ...rest, ...dates, organization: event.entityId } }];
    }
    case 'TranslationDeleted':
      return [{ remove: event.data.translation }];
    case 'TranslationEnded':
      return [{ remove: event.entityId }];
    default:
      // Looked back on, a translation is made of its own stream alone.
      return [{ change: event.entityId, by: (doc) => changed(doc ?? { ...unlisted, updatedAt: time }, event) }];
  }
}

function changed(
  doc: TranslationDocument,
  event: Recorded<Exclude<RunEvent, { type: 'TranslationEnded' }>>,
): TranslationDocument {
  const { time } = event.meta;
  switch (event.type) {
    case 'TranslationRunRequested':
      return { ...doc, waiting: true };
    case 'TranslationRunStarted':
      return { ...doc, waiting: false, run: event.data.run };
    case 'TranslationRunCompleted':
      return completed({ ...doc, updatedAt: time, run: null, lastError: null }, event.data);
    case 'TranslationRunFailed': {
      const { reason, usage = noUsage } = event.data;
      return { ...used(doc, usage), updatedAt: time, run: null, lastError: { reason, at: time } };
    }
    case 'TranslationInstructionsChanged':
      return { ...doc, updatedAt: time, instructions: event.data.text };
    default:
      return doc;
  }
}

function completed(doc: TranslationDocument, data: DataOf<'TranslationRunCompleted'>): TranslationDocument {
  const { pages, totalPages, words, seconds, usage, revision } = data;
  return {
    ...used(doc, usage),
    revision: revision ?? doc.revision,
    runs: doc.runs + 1,
    words: doc.words + words,
    pages: totalPages,
    seconds: doc.seconds + seconds,
    latest: { pages, words, seconds },
  };
}

function used(doc: TranslationDocument, latest: Usage): TranslationDocument {
  const { characters, promptTokens, completionTokens } = doc.usage.total;
  const total = {
    characters: characters + latest.characters,
    promptTokens: promptTokens + latest.promptTokens,
    completionTokens: completionTokens + latest.completionTokens,
  };
  return { ...doc, usage: { latest, total } };
}

/** All translations, by id. */
export const translationDocuments = projection<TranslationDocument, [typeof listed, typeof running]>({
  name: 'translation',
  version: 1,
  entities: ['content.translations', 'content.translation'],
  events: [listed, running],
  history: {
    of: 'content.translation',
    except: ['organization', 'source', 'from', 'language', 'result', 'createdAt'],
  },
  indexes: [{ key: { organization: 1, createdAt: 1 } }, { key: { source: 1 } }, { key: { result: 1 } }],
  writes,
});

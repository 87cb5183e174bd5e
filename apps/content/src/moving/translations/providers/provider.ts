import { type GlossaryTerm } from '@scriptorium/rich-text';

/** A text to translate. `most`: the most characters that fit in its place. */
export interface BatchSegment {
  readonly id: string;
  readonly text: string;
  readonly most?: number | undefined;
}

/** Texts of one page to translate. Ids are those of segments; they never leave the process. */
export interface TranslationBatch {
  /** Codes of languages, such as `en`. */
  readonly from: string;
  readonly to: string;
  readonly segments: readonly BatchSegment[];
  /** The headings above the texts, the outermost first. */
  readonly headings: readonly string[];
  /** The terms that the texts contain. */
  readonly terms: readonly GlossaryTerm[];
  /** What the organization asks for, as text; empty for nothing. */
  readonly instructions: string;
}

/** What a provider says it has used; characters are those of the texts that were sent. */
export interface TranslationUsage {
  readonly characters: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** The texts that a provider gave, by the ids of segments. One that it left out is missing. */
export interface TranslationAnswer {
  readonly texts: ReadonlyMap<string, string>;
  readonly usage: TranslationUsage;
}

/** Translates texts. Nothing that it gives is trusted: `checkSegment` decides whether a text can be used. */
export interface TranslationProvider {
  /** With the model: texts of one name are not used for another. */
  readonly name: string;
  /** `false` when what it gives is no other language. */
  readonly isLanguage: boolean;
  /** Whether texts go to a language model, which an organization may not want. */
  readonly sendsToModel?: boolean;
  /** Whether it can translate between two languages; `undefined` when only a try can tell. */
  translates(from: string, to: string): boolean | undefined;
  /** @throws ProviderFailure */
  translate(batch: TranslationBatch, signal: AbortSignal): Promise<TranslationAnswer>;
}

/** Longer waits than this, in ms, are not taken from a provider. */
const longestWaitMs = 3_600_000;

interface FailureFacts {
  /** How long to wait before another try, in ms, when the provider has said so. */
  retryAfterMs?: number | undefined;
  /** Whether the texts may be the reason: other texts may be answered. */
  isOfText?: boolean;
}

/** Why a provider gave no texts. The message contains nothing of its answer. */
export class ProviderFailure extends Error {
  readonly retryAfterMs: number | undefined;
  readonly isOfText: boolean;

  constructor(message: string, { retryAfterMs, isOfText = false }: FailureFacts = {}) {
    super(message);
    this.retryAfterMs = retryAfterMs === undefined ? undefined : Math.min(Math.max(0, retryAfterMs), longestWaitMs);
    this.isOfText = isOfText;
  }
}

export const noUsage: TranslationUsage = { characters: 0, promptTokens: 0, completionTokens: 0 };

/** Two usages together. */
export const addUsage = (a: TranslationUsage, b: TranslationUsage): TranslationUsage => ({
  characters: a.characters + b.characters,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
});

export const charactersOf = ({ segments }: Pick<TranslationBatch, 'segments'>): number =>
  segments.reduce((sum, { text }) => sum + text.length, 0);

/** Texts in the order of the segments, under their ids. */
export function inOrder(
  { segments }: Pick<TranslationBatch, 'segments'>,
  texts: readonly string[],
): Map<string, string> {
  return new Map(
    segments.flatMap(({ id }, i): Array<[string, string]> => {
      const text = texts[i];
      return text === undefined ? [] : [[id, text]];
    }),
  );
}

import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english, translations } from '@zxcvbn-ts/language-en';

/** The dictionaries take 20 MB. They are loaded in a thread of the worker pool and freed with it. */
const judge = new ZxcvbnFactory({
  dictionary: { ...common, ...english },
  graphs: adjacencyGraphs,
  translations,
  useLevenshteinDistance: false,
});

export interface JudgedPassword {
  readonly password: string;
  /** Texts about the person, which make a password easy to guess. */
  readonly known: readonly string[];
}

/** Judges how hard a password is to guess, from 0 to 4, with advice for the user. Takes up to a second. */
export function judgePassword({ password, known }: JudgedPassword): { score: number; advice: string[] } {
  const { score, feedback } = judge.check(password, [...known]);
  const advice = [feedback.warning ?? '', ...feedback.suggestions];
  return { score, advice: advice.filter((text) => text !== '') };
}

import { pseudoTranslated } from '@scriptorium/rich-text';
import { charactersOf, inOrder, noUsage, type TranslationProvider } from './provider.js';

/** Gives every text as it is: for specs, and to see what a translation would move. */
export const copyProvider: TranslationProvider = inProcess('copy', (text) => text);

/** Gives texts in letters that read alike: shows what is not translated, and what has no room. */
export const pseudoProvider: TranslationProvider = inProcess('pseudo', pseudoTranslated);

function inProcess(name: string, change: (text: string) => string): TranslationProvider {
  return {
    name,
    isLanguage: false,
    translates: () => true,
    translate: (batch) =>
      Promise.resolve({
        texts: inOrder(
          batch,
          batch.segments.map(({ text }) => change(text)),
        ),
        usage: { ...noUsage, characters: charactersOf(batch) },
      }),
  };
}

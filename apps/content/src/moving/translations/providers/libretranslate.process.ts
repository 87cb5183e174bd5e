import * as z from 'zod';
import { askProvider, type ProviderPlace } from './ask-provider.process.js';
import { fromAnswers, toMarkup } from './markup.js';
import { charactersOf, inOrder, noUsage, type TranslationProvider } from './provider.js';

const answer = z.object({ translatedText: z.array(z.string()) });

/** A LibreTranslate server. It knows no glossary: terms are held back, and their translations put in their place. */
export function libreTranslateProvider(place: ProviderPlace): TranslationProvider {
  return {
    name: 'libretranslate',
    isLanguage: true,
    translates: () => undefined,
    async translate(batch, signal) {
      const marked = batch.segments.map(({ text }) => toMarkup(text, batch));
      const q = marked.map(({ text }) => text);
      const key = place.key === undefined ? {} : { api_key: place.key };
      const { translatedText } = await askProvider(place, {
        path: '/translate',
        body: JSON.stringify({ q, source: batch.from, target: batch.to, format: 'html', ...key }),
        answer,
        signal,
      });
      return {
        texts: inOrder(batch, fromAnswers(marked, translatedText)),
        usage: { ...noUsage, characters: charactersOf(batch) },
      };
    },
  };
}

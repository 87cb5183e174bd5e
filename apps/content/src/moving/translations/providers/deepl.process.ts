import * as z from 'zod';
import { askProvider, type ProviderPlace } from './ask-provider.process.js';
import { fromAnswers, toMarkup } from './markup.js';
import { charactersOf, inOrder, noUsage, type TranslationProvider } from './provider.js';

const answer = z.object({ translations: z.array(z.object({ text: z.string() })) });

/** Languages that are asked for by region. */
const targets: Readonly<Record<string, string>> = { en: 'EN-US', pt: 'PT-PT', no: 'NB', zh: 'ZH-HANS' };
const sources: Readonly<Record<string, string>> = { no: 'NB' };

/** The API of DeepL. What terms stand for is put in their place, so that no glossary has to be kept there. */
export function deeplProvider(place: ProviderPlace): TranslationProvider {
  return {
    name: 'deepl',
    isLanguage: true,
    translates: () => undefined,
    async translate(batch, signal) {
      const marked = batch.segments.map(({ text }) => toMarkup(text, batch));
      const { translations } = await askProvider(place, {
        path: '/v2/translate',
        headers: place.key === undefined ? {} : { authorization: `DeepL-Auth-Key ${place.key}` },
        body: JSON.stringify({
          text: marked.map(({ text }) => text),
          source_lang: sources[batch.from] ?? batch.from.slice(0, 2).toUpperCase(),
          target_lang: targets[batch.to] ?? batch.to.toUpperCase(),
          tag_handling: 'xml',
          ignore_tags: ['x'],
          ...(batch.headings.length > 0 && { context: batch.headings.join(' / ') }),
        }),
        answer,
        signal,
      });
      return {
        texts: inOrder(
          batch,
          fromAnswers(
            marked,
            translations.map(({ text }) => text),
          ),
        ),
        usage: { ...noUsage, characters: charactersOf(batch) },
      };
    },
  };
}

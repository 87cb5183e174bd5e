import { languages } from '@scriptorium/contracts';
import * as z from 'zod';
import { providerKinds } from './providers/provider-kinds.js';

const known: ReadonlySet<string> = new Set(languages);

/** Settings of what translates. */
export const translationSettings = {
  TRANSLATION_PROVIDER: z
    .enum(providerKinds)
    .optional()
    .describe(
      'What translates: `chat` (a language model with the OpenAI protocol), `libretranslate`, `deepl`, `apertium`; `copy` and `pseudo` translate nothing and are for tries. Unset: translations end with `no_provider`',
    ),
  TRANSLATION_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Where the provider is; it may be in the own network. Without it, `apertium` is the command of this machine',
    ),
  TRANSLATION_KEY: z.string().min(1).optional().describe('Key of the provider'),
  TRANSLATION_MODEL: z.string().min(1).optional().describe('Model that `chat` uses'),
  TRANSLATION_LANGUAGES: z
    .string()
    .refine((list) => list.split(',').every((language) => known.has(language.trim())), 'Must be codes of languages')
    .optional()
    .describe('Languages that can be translated into, `de,fr,pt-br`; unset: all that the provider has'),
  TRANSLATION_AT_ONCE: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(4)
    .describe('Requests to the provider that one process sends at a time'),
  TRANSLATION_WAIT_SECONDS: z.coerce
    .number()
    .min(0)
    .max(3_600)
    .default(30)
    .describe('How long a translation waits for more edits of its source before it runs'),
  TRANSLATION_PRICE_PER_MILLION: z.coerce
    .number()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe(
      'Price of a million tokens, or of a million characters where the provider counts no tokens: with it, translations show what they cost',
    ),
};

export type TranslationSettings = z.output<z.ZodObject<typeof translationSettings>>;

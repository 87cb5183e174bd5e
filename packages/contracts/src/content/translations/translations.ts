import * as z from 'zod';
import { Id, Location, Timestamp, listOf, paging } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { RichDocument, RichDocumentInput } from '../../kernel/rich-document.js';
import { RunProgress } from '../../kernel/run.js';
import { Language } from '../library/space.js';
import { translationFailures } from './translation-events.js';

/** Bounds of translations. They are part of the contract and the same in every installation. */
export const translationBounds = {
  /** Languages into which one space is translated. */
  languages: 20,
  /** Bytes of instructions as markdown. */
  instructionsBytes: 32 * 1024,
  /** Pages that one request for a run names. */
  pages: 1_000,
} as const;

const count = z.int().min(0);

const TranslationUsage = z
  .object({
    characters: count.meta({ description: 'Characters that were sent to the provider.' }),
    promptTokens: count,
    completionTokens: count,
    cost: z.number().min(0).optional().meta({
      description: 'By the price that the operator has set for a million tokens, or characters where none are counted.',
    }),
  })
  .meta({ id: 'TranslationUsage' });

const Source = z
  .object({
    space: Id,
    language: Language.meta({ description: 'The language that the source is read in.' }),
  })
  .meta({ id: 'TranslationSource' });

export const Translation = z
  .object({
    object: z.literal('translation'),
    id: Id,
    status: z.enum(['pending', 'running', 'completed']).meta({
      description:
        '`pending`: a run is requested. What is requested while one is at work makes it pending again afterwards. `completed`: also when the last run failed; `lastError` says why.',
    }),
    source: Source,
    language: Language,
    instructions: RichDocument,
    result: z
      .object({ space: Id, revision: Id, language: Language })
      .optional()
      .meta({ description: 'The translated space, and its newest translated revision. Absent until a run succeeds.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    stats: z.object({
      runs: count.meta({ description: 'Runs that succeeded.' }),
      totalWords: count,
      totalPages: count.meta({ description: 'Pages that are translated, each counted once.' }),
      totalDuration: count.meta({ description: 'Seconds.' }),
      latestRunDuration: count.meta({ description: 'Seconds.' }),
      latestPages: count,
      latestWords: count,
      problems: count.meta({
        description:
          'Segments with a problem: their source stands in the result, or their correction has an old source.',
      }),
    }),
    usage: z.object({ latest: TranslationUsage, total: TranslationUsage }).meta({ id: 'TranslationUsages' }),
    progress: RunProgress.optional().meta({ description: 'Of the run that is at work.' }),
    lastError: z
      .object({ reason: z.enum(translationFailures), message: z.string(), at: Timestamp })
      .optional()
      .meta({ description: 'Why the last run failed. The result of the run before stays.' }),
    permissions: z.object({ view: z.boolean(), edit: z.boolean() }),
    urls: Location,
  })
  .meta({ id: 'Translation' });
export type Translation = z.output<typeof Translation>;

const base = { service: 'content', tag: 'Translations' } as const;
const path = '/orgs/{organizationId}/translations';
const organization = z.object({ organizationId: Id });
const one = z.object({ organizationId: Id, translationId: Id });
const amongAll = { tokens: ['personal'], resource: 'organization', view: ['guest'], allow: ['admin'] } as const;
const ofOne = { tokens: ['personal'], resource: 'translation', view: ['guest'], allow: ['admin'] } as const;

const instructions = RichDocumentInput.meta({
  description: 'What the translation has to heed, such as its tone; at most 32 KiB as markdown.',
});

export const listTranslations = operation({
  ...base,
  id: 'listTranslations',
  method: 'GET',
  path,
  summary: 'List the translations of an organization, the newest first',
  access: amongAll,
  params: organization,
  query: z.object({
    ...paging,
    space: Id.optional().meta({ description: 'Those of this source space.' }),
    language: Language.optional().meta({ description: 'Those into this language.' }),
  }),
  response: listOf(Translation),
});

export const createTranslation = operation({
  ...base,
  id: 'createTranslation',
  method: 'POST',
  path,
  summary: 'Translate a space into another language, now and after each change of it',
  access: amongAll,
  params: organization,
  body: z.object({
    language: Language,
    source: z.object({
      space: Id,
      language: Language.optional().meta({
        description: 'That of the space, unless it has none; then `en`, unless another is given.',
      }),
    }),
    instructions: instructions.optional(),
  }),
  response: Translation,
  status: 201,
  reasons: ['conflict', 'limit_reached'],
  bodyLimit: 512 * 1024,
});

export const getTranslation = operation({
  ...base,
  id: 'getTranslation',
  method: 'GET',
  path: `${path}/{translationId}`,
  summary: 'Get a translation',
  history: { entity: 'translation', id: 'translationId' },
  access: ofOne,
  params: one,
  response: Translation,
});

export const updateTranslation = operation({
  ...base,
  id: 'updateTranslation',
  method: 'PUT',
  path: `${path}/{translationId}`,
  summary: 'Replace the instructions of a translation; everything is translated again',
  access: ofOne,
  params: one,
  body: z
    .object({
      instructions,
      language: Language.optional().meta({ description: 'Refused: the language of a translation does not change.' }),
    })
    .refine(({ language }) => language === undefined, {
      path: ['language'],
      message: 'The language of a translation does not change; create another one',
    }),
  response: Translation,
  bodyLimit: 512 * 1024,
});

export const deleteTranslation = operation({
  ...base,
  id: 'deleteTranslation',
  method: 'DELETE',
  path: `${path}/{translationId}`,
  summary: 'Delete a translation; its result stays as an ordinary space',
  access: ofOne,
  params: one,
});

export const runTranslation = operation({
  ...base,
  id: 'runTranslation',
  method: 'POST',
  path: `${path}/{translationId}/run`,
  summary: 'Translate what has changed, or pages that have not',
  access: ofOne,
  params: one,
  body: z.object({
    pages: z
      .array(Id)
      .max(translationBounds.pages)
      .optional()
      .meta({ description: 'Pages that are translated although they have not changed.' }),
    force: z.boolean().optional().meta({
      description:
        'Translates the texts of these pages again, without `pages` those of all, although they are known. Corrections stay.',
    }),
  }),
  bodyOptional: true,
});

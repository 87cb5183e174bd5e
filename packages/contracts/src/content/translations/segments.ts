import * as z from 'zod';
import { Id, listOf, paging } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';

/** Why the source of a segment stands in the result, or why its correction does not. */
export const segmentProblems = [
  'markup',
  'tags',
  'empty',
  'characters',
  'literals',
  'numbers',
  'length',
  'script',
  'refusal',
  'glossary',
  'unanswered',
  'source_changed',
] as const;

/** Bounds of segments. They are part of the contract and the same in every installation. */
export const segmentBounds = {
  /** Characters of a corrected text. */
  target: 64_000,
} as const;

export const TranslationSegment = z
  .object({
    object: z.literal('translation-segment'),
    id: Id,
    page: Id.meta({ description: 'The page of the source, and of the result.' }),
    block: z.string().meta({
      description: 'The key of the block that it is in; `/title` and `/description` for those of the page.',
    }),
    source: z.string().meta({
      description:
        'Its text. `<g id="1">…</g>` are marks and links, `<x id="2"/>` what is not translated; `&`, `<` and `>` are written as `&amp;`, `&lt;` and `&gt;`.',
    }),
    target: z.string().nullable().meta({ description: '`null`: the source stands in the result.' }),
    pinned: z.boolean().meta({ description: 'Whether somebody has corrected it.' }),
    correction: z
      .object({ source: z.string(), target: z.string() })
      .optional()
      .meta({ description: 'What was corrected before the source changed.' }),
    problems: z.array(z.enum(segmentProblems)).meta({
      description:
        'Why no translation passed the checks. `source_changed`: the correction is of an earlier source and is not used.',
    }),
  })
  .meta({ id: 'TranslationSegment' });
export type TranslationSegment = z.output<typeof TranslationSegment>;

const base = { service: 'content', tag: 'Translations' } as const;
const path = '/orgs/{organizationId}/translations/{translationId}/segments';
const access = { tokens: ['personal'], resource: 'translation', view: ['guest'], allow: ['admin'] } as const;

export const listTranslationSegments = operation({
  ...base,
  id: 'listTranslationSegments',
  method: 'GET',
  path,
  summary: 'List the translated texts of a translation, page by page',
  access,
  params: z.object({ organizationId: Id, translationId: Id }),
  query: z.object({
    ...paging,
    pageId: Id.optional().meta({ description: 'Those of this page.' }),
    problem: z.boolean().optional().meta({ description: 'Those with a problem, or those without.' }),
    pinned: z
      .boolean()
      .optional()
      .meta({ description: 'Those that somebody has corrected, or those that nobody has.' }),
  }),
  response: listOf(TranslationSegment),
});

export const updateTranslationSegment = operation({
  ...base,
  id: 'updateTranslationSegment',
  method: 'PUT',
  path: `${path}/{segmentId}`,
  summary: 'Correct a translated text, or take the correction back; equal texts are corrected with it',
  access,
  params: z.object({ organizationId: Id, translationId: Id, segmentId: Id }),
  body: z.object({
    target: z
      .string()
      .min(1)
      .max(segmentBounds.target)
      .refine((text) => text.isWellFormed(), 'Must be well-formed Unicode')
      .nullable()
      .meta({ description: 'The text with the tags of the source. `null`: what the provider gives is used again.' }),
  }),
  response: TranslationSegment,
  reasons: ['content_change_invalid'],
});

import * as z from 'zod';
import { Id, Location, Timestamp, listOf, paging, trimmedText } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { Language, languages } from '../library/space.js';

/** Bounds of glossaries. They are part of the contract and the same in every installation. */
export const glossaryBounds = {
  /** Operations in one request. */
  operations: 100,
  /** Characters of a term in one language. */
  term: 256,
} as const;

/** How a term is called in each language. */
export const GlossaryTranslations = z
  .partialRecord(Language, trimmedText(1, glossaryBounds.term).nullable())
  .refine((translations) => Object.keys(translations).length >= 2, 'Must have at least two languages')
  .refine(
    (translations) => Object.values(translations).some((term) => term !== null),
    'Must have a term in at least one language',
  )
  .meta({
    id: 'GlossaryTranslations',
    description:
      'The term in each language; `null`: it is never translated into this one. The entry is that of its term in the first of its languages, in the order of `Language`.',
  });
export type GlossaryTranslations = z.output<typeof GlossaryTranslations>;

/**
 * What no two entries have: the term in the first of the languages in which there is one, in any case of letters, with
 * that language.
 */
export function termOfEntry(translations: GlossaryTranslations): string {
  const language = languages.find((one) => typeof translations[one] === 'string');
  return language === undefined ? '' : `${language} ${translations[language]?.normalize('NFC').toLowerCase()}`;
}

export const GlossaryEntry = z
  .object({
    object: z.literal('glossary-entry'),
    id: Id,
    translations: z.partialRecord(Language, z.string().nullable()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    urls: Location,
  })
  .meta({ id: 'GlossaryEntry' });
export type GlossaryEntry = z.output<typeof GlossaryEntry>;

const GlossaryOperation = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('insert'), translations: GlossaryTranslations }),
    z.object({ type: z.literal('update'), id: Id, translations: GlossaryTranslations }),
    z.object({ type: z.literal('delete'), id: Id }),
  ])
  .meta({ id: 'GlossaryOperation' });
export type GlossaryOperation = z.output<typeof GlossaryOperation>;

const base = { service: 'content', tag: 'Translations' } as const;
const path = '/orgs/{organizationId}/translations-glossary';
const organization = z.object({ organizationId: Id });
const access = { tokens: ['personal'], resource: 'organization', view: ['guest'], allow: ['admin'] } as const;

export const listGlossaryEntries = operation({
  ...base,
  id: 'listGlossaryEntries',
  method: 'GET',
  path,
  summary: 'List the entries of the glossary of an organization, the newest first',
  access,
  params: organization,
  query: z.object(paging),
  response: listOf(GlossaryEntry),
});

export const updateGlossaryEntries = operation({
  ...base,
  id: 'updateGlossaryEntries',
  method: 'PUT',
  path,
  summary:
    'Insert, update and delete entries of the glossary, all together or none; what has the terms is translated again',
  access,
  params: organization,
  body: z.object({ operations: z.array(GlossaryOperation).min(1).max(glossaryBounds.operations) }),
  reasons: ['conflict', 'limit_reached'],
});

export const getGlossaryEntry = operation({
  ...base,
  id: 'getGlossaryEntry',
  method: 'GET',
  path: `${path}/{glossaryEntryId}`,
  summary: 'Get an entry of the glossary',
  access,
  params: z.object({ organizationId: Id, glossaryEntryId: Id }),
  response: GlossaryEntry,
});

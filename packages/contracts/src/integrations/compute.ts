import * as z from 'zod';
import { Id } from '../kernel/common.js';
import { internalOperation } from '../kernel/operation.js';
import { contentBounds } from '../content/bounds.js';
import { ComputedProps } from '../content/shapes/computed.js';
import { ContentReference } from '../content/shapes/content-reference.js';
import { ContentTitle, Icon, Slug } from '../content/shapes/page-fields.js';
import { integrationBounds } from './bounds.js';
import { computeCallTypes } from './words.js';

const Values = z.record(z.string(), z.unknown());
const Name = z.string().min(1).max(integrationBounds.name);

/** What a page says of the document that a script computes for it. */
export const ScriptedDocumentSource = z.object({
  type: z
    .string()
    .max(256)
    .regex(/^integration:[^:]+:[^:]+$/, 'Must be integration:<name>:<source>'),
  props: ComputedProps.default({}),
});
export type ScriptedDocumentSource = z.output<typeof ScriptedDocumentSource>;

const named = {
  id: z
    .string()
    .regex(/^[a-zA-Z0-9]{1,40}$/, 'Must be at most 40 letters and digits')
    .optional(),
  title: ContentTitle,
  emoji: z.string().min(1).max(50).optional(),
  icon: Icon.optional(),
};

/** A page as a script answers it. */
export type ScriptedPage = z.output<typeof Link> | ScriptedDocument | ScriptedGroup;
type ScriptedDocument = z.output<typeof documentFields> & { pages?: ScriptedPage[] | undefined };
type ScriptedGroup = z.output<typeof groupFields> & { pages: ScriptedPage[] };

const Link = z.object({ type: z.literal('link'), ...named, target: ContentReference });
const documentFields = z.object({
  type: z.literal('document'),
  ...named,
  description: z.string().max(contentBounds.description).optional(),
  slug: Slug.optional(),
  computed: ScriptedDocumentSource.optional(),
});
const groupFields = z.object({ type: z.literal('group'), ...named, slug: Slug.optional() });

const Pages = z.array(z.lazy((): z.ZodType<ScriptedPage> => ScriptedPage)).max(contentBounds.computedPages);

/** A page that a script computes. One that is computed from something else again is none. */
export const ScriptedPage: z.ZodType<ScriptedPage> = z.discriminatedUnion('type', [
  documentFields.extend({ pages: Pages.optional() }),
  groupFields.extend({ pages: Pages }),
  Link,
]);

/** What a script answers that is asked for the pages of a source. Files would have to be stored: none are taken. */
export const ScriptedRevision = z.object({
  pages: Pages.default([]),
  files: z.array(z.unknown()).max(0, 'Files cannot be computed').optional(),
});
export type ScriptedRevision = z.output<typeof ScriptedRevision>;

const isDocument = (given: { object?: unknown; markdown?: unknown }): boolean =>
  given.object !== undefined || given.markdown !== undefined;

/**
 * What a script answers that is asked for the document of a page: a document, or `{markdown}`. `content` checks what is
 * in it.
 */
export const ScriptedDocumentAnswer = z.object({
  document: z
    .looseObject({ object: z.literal('document').optional(), markdown: z.string().optional() })
    .refine(isDocument, { path: ['object'], message: 'Must be "document", unless there is `markdown`' }),
});

/**
 * Has the script of an integration compute pages, or a document, for a space. `version`: the version of the integration
 * that is known; an earlier one does not answer. The answer is what the script answered as JSON, of the right form.
 * Refusals: `not_found` that names `integration` (not published, or not active on the space) or `source` (not declared
 * by the integration), `forbidden` without the scope, `unavailable`, and those of calls of scripts.
 */
export const computeContent = internalOperation({
  id: 'computeContent',
  service: 'integrations',
  input: z.object({
    organization: Id,
    space: Id,
    integration: Name,
    source: Name,
    version: z.int().min(1),
    type: z.enum(computeCallTypes),
    props: Values,
    dependencies: z.record(z.string(), z.object({ ref: ContentReference, value: Values.nullable() })),
  }),
  response: z.object({ version: z.int().min(1), answer: z.string() }),
  deadlineMs: 12_000,
});

import * as z from 'zod';
import { exceedsBytes, tooManyBytes } from '../../kernel/bytes.js';
import { Id } from '../../kernel/common.js';
import { contentBounds } from '../bounds.js';
import { ContentReference, OpenAPIReference } from './content-reference.js';

/** A file of the space that has the computed content: other readers may not view another space. */
const OwnFile = z.strictObject({ kind: z.literal('file'), file: Id });

const Spec = z.object({
  spec: z.object({
    ref: z
      .discriminatedUnion('kind', [OpenAPIReference, OwnFile])
      .meta({ description: 'A specification of the organization, or a file of the same space that has one.' }),
  }),
});

/** Pages of an OpenAPI specification. */
export const OpenAPISource = z
  .object({
    type: z.literal('builtin:openapi'),
    props: z
      .object({
        models: z.boolean().optional().meta({ description: 'With a page of the models.' }),
        downloadLink: z.boolean().optional().meta({
          description: 'With a link to the specification: to a file, or to a public one of the organization.',
        }),
        grouping: z.enum(['tag', 'operation']).optional().meta({
          description:
            '`tag` (unless given): a page for each tag, with its operations. `operation`: a page for each operation, below that of its tag.',
        }),
      })
      .optional(),
    dependencies: Spec,
  })
  .meta({ id: 'OpenAPISource' });

const SourceType = z
  .union([
    z.literal('builtin:translation'),
    z
      .string()
      .max(256)
      .regex(/^integration:[^:]+:[^:]+$/, 'Must be integration:<name>:<source>'),
  ])
  .meta({ description: '`builtin:translation`, or `integration:<name>:<source>`.' });

const Dependencies = z
  .record(z.string().min(1).max(128), z.object({ ref: ContentReference }))
  .refine((named) => Object.keys(named).length <= contentBounds.dependencies, {
    message: `At most ${contentBounds.dependencies} dependencies`,
  });

const Props = z
  .record(z.string(), z.unknown())
  .refine(
    (props) => !exceedsBytes(JSON.stringify(props), contentBounds.computedPropsBytes),
    tooManyBytes(contentBounds.computedPropsBytes),
  );

const OtherSource = z.object({ type: SourceType, props: Props.optional(), dependencies: Dependencies.optional() });

/** What a new space can be computed from: it has no files yet. */
export const SpaceSource = OpenAPISource.extend({
  dependencies: z.object({ spec: z.object({ ref: OpenAPIReference }) }),
}).meta({ id: 'SpaceSource' });

/** What content is computed from. */
export const ComputedSource = z.union([OpenAPISource, OtherSource]).meta({ id: 'ComputedSource' });
export type ComputedSource = z.output<typeof ComputedSource>;

const OpenAPIDocument = z.union([
  z.object({ doc: z.literal('models') }),
  z.object({
    doc: z.enum(['operations', 'info']),
    page: z.string(),
    part: z
      .int()
      .min(2)
      .optional()
      .meta({ description: 'Of a tag with more operations than a page has: the second page and those behind it.' }),
  }),
  z.object({ doc: z.literal('operation'), method: z.string(), path: z.string() }),
  z.object({ doc: z.literal('webhook'), method: z.string(), name: z.string() }),
]);

/** What the document of a page is computed from: the part of a source that the page shows. */
export const ComputedDocument = z
  .union([z.object({ type: z.literal('builtin:openapi'), props: OpenAPIDocument, dependencies: Spec }), OtherSource])
  .meta({ id: 'ComputedDocument' });
export type ComputedDocument = z.output<typeof ComputedDocument>;

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

const IntegrationSourceType = z
  .string()
  .max(256)
  // A source of another type is told what is wrong with that.
  .regex(/^integration:[^:]+:[^:]+$/, { error: 'Must be integration:<name>:<source>', abort: true });

const SourceType = z
  .union([z.literal('builtin:translation'), IntegrationSourceType])
  .meta({ description: '`builtin:translation`, or `integration:<name>:<source>`; capitals count.' });

const Dependencies = z
  .record(z.string().min(1).max(128), z.object({ ref: ContentReference }))
  .refine((named) => Object.keys(named).length <= contentBounds.dependencies, {
    message: `At most ${contentBounds.dependencies} dependencies`,
  });

/** Properties that a script gets. */
export const ComputedProps = z
  .record(z.string(), z.unknown())
  .refine((props) => !nestsDeeper(props, contentBounds.computedPropsLevels), {
    message: `Must not nest deeper than ${contentBounds.computedPropsLevels} levels`,
    abort: true,
  })
  .refine(
    (props) => !exceedsBytes(JSON.stringify(props), contentBounds.computedPropsBytes),
    tooManyBytes(contentBounds.computedPropsBytes),
  );

/** Level by level, so that no nesting can exhaust the stack. */
function nestsDeeper(value: object, most: number): boolean {
  let level: object[] = [value];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((one) => Object.values(one).filter((child): child is object => isObject(child)));
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const OwnDependency = z
  .discriminatedUnion('kind', [OpenAPIReference, OwnFile, z.object({ kind: z.literal('space'), space: Id })])
  .meta({
    description:
      'A specification of the organization, a file of the same space, or a space that the integration reaches.',
  });

/** Pages that the script of an integration computes. */
export const IntegrationSource = z
  .object({
    type: IntegrationSourceType.meta({
      description: '`integration:<name>:<source>`: a content source that the integration declares.',
    }),
    props: ComputedProps.optional().meta({ description: 'Given to the script.' }),
    dependencies: z
      .record(z.string().min(1).max(128), z.object({ ref: OwnDependency }))
      .refine((named) => Object.keys(named).length <= contentBounds.dependencies, {
        message: `At most ${contentBounds.dependencies} dependencies`,
      })
      .optional()
      .meta({ description: 'The pages are computed again when one of these changes.' }),
  })
  .meta({ id: 'IntegrationSource' });
export type IntegrationSource = z.output<typeof IntegrationSource>;

const OtherSource = z.object({
  type: SourceType,
  props: ComputedProps.optional(),
  dependencies: Dependencies.optional(),
});

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

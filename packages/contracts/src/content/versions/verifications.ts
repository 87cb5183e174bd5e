import * as z from 'zod';
import { Id, Url } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { runFields } from '../../kernel/run.js';

const count = z.int().min(0);

/** What a verification has found. */
export const VerificationResult = z
  .object({
    sound: z.boolean().meta({ description: 'Whether nothing is missing or corrupt.' }),
    revisions: count,
    objects: count.meta({ description: 'Documents and parts of trees that revisions name.' }),
    files: count,
    missing: count.meta({ description: 'Objects that a revision names and that are not there.' }),
    corrupt: count.meta({ description: 'Objects whose text is not what their name says.' }),
    missingFiles: count.meta({ description: 'Files whose bytes are not in their store, or are cut off.' }),
    unreachable: count.meta({
      description: 'Objects and files that no revision names, such as those of requests under way. They do no harm.',
    }),
    named: z.array(z.string()).meta({ description: '`<pool>/<name>` of the first ones that are damaged.' }),
  })
  .meta({ id: 'VerificationResult' });

const verification = z
  .object({
    object: z.literal('content-verification'),
    ...runFields,
    result: VerificationResult.optional(),
    urls: z.object({ location: Url }),
  })
  .meta({ id: 'ContentVerification' });

/** An answer with a name of its own: written out in each operation its type would be too long for the compiler. */
export interface ContentVerification extends z.input<typeof verification> {
  object: 'content-verification';
}
export interface ShownContentVerification extends z.output<typeof verification> {
  object: 'content-verification';
}
export const ContentVerification: z.ZodType<ShownContentVerification, ContentVerification> = verification;

const base = {
  service: 'content',
  tag: 'Operation',
  access: { tokens: ['personal'], resource: 'installation', view: ['anyone'], allow: ['operator'] },
  response: ContentVerification,
} as const;

export const startContentVerification = operation({
  ...base,
  id: 'startContentVerification',
  method: 'POST',
  path: '/operator/content/verifications',
  summary: 'Begin to look whether everything that revisions name is there and whole',
  status: 201,
  reasons: ['limit_reached'],
  dryRun: false,
});

export const getContentVerification = operation({
  ...base,
  id: 'getContentVerification',
  method: 'GET',
  path: '/operator/content/verifications/{verificationId}',
  summary: 'Get a verification of content with what it has found',
  params: z.object({ verificationId: Id }),
});

import * as z from 'zod';
import { Id, listOf, paging } from '../../kernel/common.js';
import { openToInstallations } from '../../kernel/integration-access.js';
import { operation } from '../../kernel/operation.js';
import { TemplateUse } from '../shapes/template-use.js';

/** Content to begin with. */
export const Template = z
  .object({
    id: Id,
    title: z.string(),
    subtitle: z.string(),
    emoji: z.string(),
    features: z.array(z.string()).meta({ description: 'What it has, in a few words each.' }),
    previewImage: z.url().optional(),
    contentRefs: z
      .array(
        z.object({
          name: z.string(),
          description: z.string(),
          kind: z.literal('openapi').optional().meta({ description: 'The kind that it has to be; any unless given.' }),
          optional: z.boolean().optional().meta({ description: 'Whether it can be left out.' }),
        }),
      )
      .meta({ description: 'What it points at. Whoever uses the template has to give all that are not optional.' }),
  })
  .meta({ id: 'Template' });
export type Template = z.output<typeof Template>;

export const listTemplates = operation({
  service: 'content',
  tag: 'Templates',
  id: 'listTemplates',
  method: 'GET',
  path: '/templates',
  summary: 'List the templates for spaces and change requests',
  access: {
    scope: 'space:read',
    resource: 'template',
    view: ['anyone'],
    allow: ['anyone'],
    // They are the same for everyone.
    withinOrganization: true,
  },
  query: z.object(paging),
  response: listOf(Template),
});

export const applyTemplateToSpace = operation({
  service: 'content',
  tag: 'Templates',
  id: 'applyTemplateToSpace',
  method: 'POST',
  path: '/spaces/{spaceId}/content/template',
  summary: 'Put the content of a template into a change request, or into a space that is not locked or still empty',
  access: openToInstallations(
    { scope: 'space:write', resource: 'space', view: ['read'], allow: ['edit'] },
    'space:content:write',
  ),
  params: z.object({ spaceId: Id }),
  body: TemplateUse.extend({
    changeRequestId: Id.optional().meta({
      description: 'The change request, by id or number. It has to be given for a locked space that is not empty.',
    }),
  }),
  status: 201,
  reasons: ['limit_reached', 'space_read_only', 'change_request_merged'],
  rate: 'content-write',
  dryRun: false,
  // Many pages are read.
  deadlineMs: 60_000,
});

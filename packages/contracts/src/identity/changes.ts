import * as z from 'zod';
import { Id, Timestamp } from '../common.js';
import { operation } from '../operation.js';
import { Action, Actor, Target } from './audit.js';

/** Where a reader of changes is: a position of the log, as `Scriptorium-Position` gives it too. */
const ChangeCursor = z.string().regex(/^\d{1,19}$/);

export const Change = z
  .object({
    object: z.literal('change'),
    id: z.uuid(),
    cursor: ChangeCursor.meta({ description: 'Goes on behind this change.' }),
    occurredAt: Timestamp,
    action: Action,
    actor: Actor,
    target: Target,
  })
  .meta({ id: 'Change' });
export type Change = z.output<typeof Change>;

export const Changes = z
  .object({
    items: z.array(Change),
    more: z.boolean().meta({ description: 'There is more already.' }),
    next: z.object({ page: ChangeCursor.meta({ description: 'Goes on behind all that was looked at, whether or not the caller may see it.' }) }),
  })
  .meta({ id: 'Changes' });
export type Changes = z.output<typeof Changes>;

export const listOrganizationChanges = operation({
  service: 'identity',
  tag: 'Audit',
  id: 'listOrganizationChanges',
  method: 'GET',
  path: '/orgs/{organizationId}/changes',
  summary: 'List or follow what changes in an organization, as far as the caller may see it, oldest first',
  access: { scope: 'organization:read', resource: 'organization', view: ['guest'], allow: ['guest'] },
  params: z.object({ organizationId: Id }),
  query: z.object({
    after: z
      .union([ChangeCursor, z.literal('now')])
      .optional()
      .meta({ description: 'Cursor from `next.page`, an item or `Scriptorium-Position`; `now` for what comes; without it, from the beginning.' }),
    limit: z.int().min(1).max(1000).default(100),
  }),
  response: Changes,
  stream: { after: 'after', topic: 'organizationId' },
});

import * as z from 'zod';
import { Id, Timestamp } from '../kernel/common.js';
import { operation } from '../kernel/operation.js';
import { Actor, Target, type Action } from './audit.js';

/** The position up to which a client has read changes, in the form of `Scriptorium-Position`. */
const ChangeCursor = z.string().regex(/^\d{1,19}$/);

const change = (action: Action) =>
  z
    .object({
      object: z.literal('change'),
      id: z.uuid(),
      cursor: ChangeCursor.meta({ description: 'Goes on behind this change.' }),
      occurredAt: Timestamp,
      action,
      actor: Actor,
      target: Target,
    })
    .meta({ id: 'Change' });
export type Change = z.output<ReturnType<typeof change>>;

const changes = (action: Action) =>
  z
    .object({
      items: z.array(change(action)),
      more: z.boolean().meta({ description: 'There is more already.' }),
      next: z.object({
        page: ChangeCursor.meta({
          description: 'Goes on behind all that was looked at, whether or not the caller may see it.',
        }),
      }),
    })
    .meta({ id: 'Changes' });
export type Changes = z.output<ReturnType<typeof changes>>;

/** The operation with which members follow the changes of an organization. */
export function changeOperations(action: Action) {
  return {
    listOrganizationChanges: operation({
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
          .meta({
            description:
              'Cursor from `next.page`, an item or `Scriptorium-Position`; `now` for what comes; without it, from the beginning.',
          }),
        limit: z.int().min(1).max(1000).default(100),
      }),
      response: changes(action),
      stream: { after: 'after', topic: 'organizationId' },
    }),
  };
}

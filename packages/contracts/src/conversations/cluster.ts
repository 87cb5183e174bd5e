import * as z from 'zod';
import { Id, Timestamp, text } from '../kernel/common.js';

export const clusterTextBounds = { label: 120, summary: 1_000, icon: 50 } as const;

const description = {
  label: text(1, clusterTextBounds.label),
  summary: z
    .string()
    .max(clusterTextBounds.summary)
    .refine((value) => value.isWellFormed(), 'Must be well-formed Unicode'),
  icon: text(1, clusterTextBounds.icon).meta({ description: 'The name of an icon.' }),
};
export interface IssuesClusterDescription {
  label: string;
  summary: string;
  icon: string;
}

export const clusterStatuses = ['analysing', 'pending'] as const;
const count = z.int().min(0);

export const IssuesCluster = z
  .object({
    object: z.literal('issues-cluster'),
    id: Id,
    label: z.string(),
    summary: z.string(),
    icon: z.string(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    status: z.enum(clusterStatuses).meta({
      description: '`analysing` while conversations of the organization wait for their issues to be found.',
    }),
    pinned: z.boolean().meta({ description: 'Whether it stays by itself: it is not merged into another one.' }),
    weeklyPulse: z.array(count).meta({
      description: 'Issues of each of the last 13 ISO weeks in UTC, the oldest first and the present one last.',
    }),
    sources: z.record(z.string(), count).meta({ description: 'Issues by integration, `api`, or `email`.' }),
    stats: z.object({ issues: count, conversations: count }),
    changeRequests: z.object({ open: count, merged: count }).meta({
      description: 'Change requests that were created for it, drafts among the open ones.',
    }),
    resolvedAt: Timestamp.optional().meta({ description: 'When a change request for it was merged last.' }),
    sinceResolved: count.optional().meta({ description: 'Issues of conversations that began since then.' }),
    urls: z.object({ location: z.url() }),
  })
  .meta({ id: 'IssuesCluster' });
export type IssuesCluster = z.output<typeof IssuesCluster>;

export const ClusterChanges = z.object({
  label: description.label.optional(),
  summary: description.summary.optional(),
  icon: description.icon.optional(),
  pinned: z.boolean().optional(),
  mergeInto: Id.optional().meta({
    description:
      'The cluster that gets all issues of this one. The id of this one leads there from then on. A label, summary, icon or pin of the same request is given to that cluster.',
  }),
});

import { partOf, type Tool } from '@scriptorium/agents';
import { ChangeRequestStatus, type Client } from '@scriptorium/contracts';
import * as z from 'zod';
import { changeRequestId, cursor, limit, listed, nameOf, offset, spaceId, tool } from './fields.js';

const listChangeRequests = tool({
  name: 'list_change_requests',
  title: 'List change requests',
  description: 'Lists the change requests of a space: open ones unless another status is given.',
  input: z.strictObject({ spaceId, status: z.array(ChangeRequestStatus).max(4).optional(), cursor, limit }),
  writes: false,
  async run(api, { spaceId: space, status, cursor, limit: most }) {
    const { items, next } = await api.listChangeRequestsForSpace({
      params: { spaceId: space },
      query: { status, page: cursor, limit: most },
    });
    return listed(
      items.map(({ id, number, status: now, subject, createdBy, updatedAt, comments, outdated, urls }) => ({
        id,
        number,
        status: now,
        subject,
        createdBy: nameOf(createdBy),
        updatedAt,
        comments,
        outdated,
        url: urls.app,
      })),
      next,
    );
  },
});

const listChanges = tool({
  name: 'list_changes',
  title: 'List what a change request changes',
  description: 'Lists what a change request changes, and shows its texts as unified diffs of their Markdown.',
  input: z.strictObject({ spaceId, changeRequestId, limit, offset }),
  writes: false,
  async run(api, { spaceId: space, changeRequestId: changeRequest, limit: most, offset: from }) {
    const params = { spaceId: space, changeRequestId: changeRequest };
    const query = { limit: most, format: 'diff' } as const;
    const { changes, more, diffs = [] } = await api.getChangeRequestSemanticChanges({ params, query });
    const texts = diffs.map(
      ({ page, reusableContent, unified }) => unified ?? `${nameIn(page ?? reusableContent)}: too long`,
    );
    return partOf([JSON.stringify({ changes, more }), ...texts].join('\n\n'), from);
  },
});

function nameIn(changed: { title: string; id: string } | undefined): string {
  return changed === undefined ? '' : `${changed.title} (${changed.id})`;
}

const listComments = tool({
  name: 'list_comments',
  title: 'List comments',
  description:
    'Lists the comments on a change request, or on the main content of a space; those that are not resolved.',
  input: z.strictObject({ spaceId, changeRequestId: changeRequestId.optional(), cursor, limit }),
  writes: false,
  async run(api, { spaceId: space, changeRequestId: changeRequest, cursor, limit: most }) {
    const listing = { query: { status: 'open', page: cursor, limit: most } } as const;
    const { items, next } =
      changeRequest === undefined
        ? await api.listCommentsInSpace({ params: { spaceId: space }, ...listing })
        : await api.listCommentsInChangeRequest({
            params: { spaceId: space, changeRequestId: changeRequest },
            ...listing,
          });
    return listed(
      items.map(({ id, postedBy, postedAt, body, replies, target }) => ({
        id,
        postedBy: nameOf(postedBy),
        postedAt,
        markdown: body.markdown,
        replies,
        page: target.page?.id,
      })),
      next,
    );
  },
});

/** The tools that tell what is proposed and said. */
export const reviewing: readonly Tool<Client>[] = [listChangeRequests, listChanges, listComments];

import type { ChangeRequest } from '@scriptorium/contracts';
import { pageBy, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import type { NumberedRequest } from './change-requests.queries.js';
import { requestTexts } from './request-text.process.js';

type Link = NonNullable<ChangeRequest['links']>[number];

/** The links of a change request, in their order. */
export async function listLinks(
  scope: Pick<Scope, 'database' | 'cursors'>,
  request: NumberedRequest,
  filter: PageRequest & { operation: string },
): Promise<Page<Link>> {
  const texts = await requestTexts(scope, [request]);
  const links = texts.get(request.text ?? '')?.links ?? [];
  return pageBy<Link>(scope.cursors, {
    binding: {
      operation: filter.operation,
      scope: { changeRequest: request._id, text: request.text },
      sort: 'order',
      order: 'asc',
    },
    request: filter,
    fetch: (limit, after) => {
      const start = after === undefined ? 0 : Number(after[0]) + 1;
      return links.slice(start, start + limit);
    },
    count: () => links.length,
    isCounted: true,
    keysOf: (link) => [String(links.indexOf(link)), link.id],
  });
}

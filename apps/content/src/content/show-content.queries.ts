import type { ServiceAccess } from '@scriptorium/access';
import { CachedResponse, type Call, type Scope } from '@scriptorium/platform';
import { requireNode } from '../library/index.js';
import type { ContentObjects } from '../objects/index.js';
import { viewContent, type ContentView } from './view.queries.js';

/** What content is read from. */
export interface Sources {
  access: ServiceAccess;
  objects: ContentObjects;
}

/**
 * An answer from the revision that the parameters name, or from the present content of the space. Its entity tag is made of the
 * revision and of what was asked for.
 * @throws AppError `not_found`
 */
export function showContent<T>(
  call: Call,
  { access, objects }: Sources,
  { params, query = {} }: { params: { spaceId: string; revisionId?: string }; query?: object },
  read: (scope: Scope, view: ContentView) => Promise<T>,
): Promise<CachedResponse<T>> {
  const { spaceId: space, revisionId: revision } = params;
  return call.cached({ of: [params, query] }, async (scope) => {
    const { organization } = await requireNode(scope, access, call.principal, space);
    const place = revision === undefined ? { space, branch: space } : { space, revision };
    const view = await viewContent(scope, objects, organization, place);
    const shows = [organization, view.revision, call.operation, params, query];
    return CachedResponse.tagged(await read(scope, view), shows);
  });
}

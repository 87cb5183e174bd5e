import type { ServiceAccess } from '@scriptorium/access';
import { CachedResponse, isForTag, type Call, type Scope } from '@scriptorium/platform';
import { requireRequestBranch, linksHoldUntil, type ContentObjects } from '../../versions/index.js';
import { requireNode } from '../../library/index.js';
import type { SeenContent } from '../page-visibility/index.js';
import { withBlocks } from './documents/with-blocks.process.js';
import { viewAs } from './view/reader-view.queries.js';
import { targetsElsewhere } from './view/targets-elsewhere.queries.js';
import type { ContentPlace, ContentView } from './view/view.queries.js';

/** What content is read from. */
export interface Sources {
  access: ServiceAccess;
  objects: ContentObjects;
  seen: SeenContent;
}

/** The parameters of reads of content: of the main content, of a change request, or of a revision. */
export interface PlaceParams {
  spaceId: string;
  changeRequestId?: string;
  revisionId?: string;
}

/**
 * An answer from the revision that the parameters name, from a change request, or from the present content of the
 * space. Its entity tag is made of the revision, of what was asked for, and of what else the read says that it shows;
 * of an answer with addresses of files, which end, also of their end.
 * @param readForTag does what `read` does as far as the entity tag depends on it
 * @throws AppError `not_found`
 */
export function showContent<T>(
  call: Call,
  { access, objects }: Pick<Sources, 'access' | 'objects'>,
  { params, query = {} }: { params: PlaceParams; query?: object },
  read: (scope: Scope, view: ContentView) => Promise<T>,
  readForTag?: (scope: Scope, view: ContentView) => Promise<void>,
): Promise<CachedResponse<T>> {
  const until = linksHoldUntil(call.now());
  const make = async (scope: Scope): Promise<CachedResponse<T>> => {
    const { organization } = await requireNode(scope, access, call.principal, params.spaceId);
    const { principal } = call;
    const seen = await viewAs(
      scope,
      objects,
      { organization, principal, computed: !('computed' in query) || query.computed !== false },
      await placeOf(scope, params),
    );
    const view: ContentView = {
      ...seen,
      elsewhere: (refs) => targetsElsewhere(scope, { access, objects, principal }, seen, refs),
      withBlocks: (document) => withBlocks(scope, objects, seen, document),
    };
    const isTagEnough = isForTag(call) && readForTag !== undefined;
    const answer = isTagEnough ? await readForTag(scope, view) : await read(scope, view);
    // The id of a visitor is made of what decides what they see.
    const visitor = principal.kind === 'visitor' ? [principal.id] : [];
    const shows = [organization, view.revision, call.operation, params, query, ...visitor, ...view.also];
    const all = view.files.isUsed ? [...shows, view.files.until] : shows;
    return isTagEnough ? CachedResponse.tagOnly<T>(all) : CachedResponse.tagged(answer as T, all);
  };
  return namesPeople(call, query) ? make(call) : call.cached({ of: [params, query, until] }, make);
}

/** Whether an answer may name people. What they are called is known to another service, so no such answer is kept. */
function namesPeople({ principal }: Call, query: object): boolean {
  return principal.kind === 'user' && 'dereferenced' in query && query.dereferenced === true;
}

async function placeOf(
  scope: Pick<Scope, 'store'>,
  { spaceId: space, changeRequestId, revisionId: revision }: PlaceParams,
): Promise<ContentPlace> {
  if (revision !== undefined) return { space, revision };
  if (changeRequestId === undefined) return { space, branch: space };
  const { id: branch } = await requireRequestBranch(scope, space, changeRequestId);
  return { space, branch };
}

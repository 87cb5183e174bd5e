import { AppError } from '@scriptorium/contracts';
import type { ServiceContext } from '@scriptorium/platform';
import type { FileAnswer, FileRequest, FileServer, ContentObjects } from '../../../versions/index.js';
import { findNode, onSitesOf } from '../../../library/index.js';
import { findHiddenPages, plainReader, visibleTree, type SeenContent } from '../../page-visibility/index.js';
import { requireFile } from '../files.queries.js';
import { viewContent } from '../view/view.queries.js';

/** What is taken back may be seen for so long by those who have seen it. */
const cached = 'public, max-age=60';

/**
 * Gives files of published spaces to everybody, without a signature: as long as a site that asks for nothing shows the
 * space to all its visitors, and something that all of them see leads to the file.
 */
export class PublishedFiles {
  readonly #context: ServiceContext;
  readonly #objects: ContentObjects;
  readonly #seen: SeenContent;

  constructor(
    context: ServiceContext,
    { objects, seen, server }: { objects: ContentObjects; seen: SeenContent; server: FileServer },
  ) {
    this.#context = context;
    this.#objects = objects;
    this.#seen = seen;
    server.serve('published', (request) => this.#answer(request));
  }

  /** @throws AppError `not_found` for everything that is not public */
  async #answer({ method, parts, requestId, headers }: FileRequest): Promise<FileAnswer> {
    const [space = '', id = '', version = '', ...more] = parts;
    if (more.length !== 1 || version.length === 0) throw new AppError('not_found');
    const context = { actor: { kind: 'system' as const, id: 'files' }, operation: 'readFile', organization: null };
    const scope = this.#context.scope(this.#context.store.scope({ ...context, correlation: requestId }, {}));
    const node = await findNode(scope, space);
    if (node?.kind !== 'space' || node.deletedAt !== null) throw new AppError('not_found');
    const { organization } = node;
    if ((await onSitesOf(scope, [space]))(space, organization)?.isOpen !== true) throw new AppError('not_found');
    const view = await viewContent(scope, this.#objects, organization, { space, branch: space });
    const reader = plainReader(space);
    const tree = visibleTree(view.tree, await findHiddenPages(this.#objects, view, reader));
    const record = await requireFile(scope, this.#seen, { tree, root: view.root, reader }, id);
    if (!record.hash.startsWith(version)) throw new AppError('not_found');
    return this.#objects.files.give(tree.pool, record, cached, { method, headers });
  }
}

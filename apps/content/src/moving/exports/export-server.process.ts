import { AppError, blaming } from '@scriptorium/contracts';
import type { ServiceContext } from '@scriptorium/platform';
import type { Readable } from 'node:stream';
import { viewContent } from '../../reading/index.js';
import {
  isSigned,
  type FileAnswer,
  type FileRequest,
  type FileServer,
  type ContentObjects,
} from '../../versions/index.js';
import { findNode } from '../../library/index.js';
import { signedOf, type ExportAddress } from './export-address.process.js';
import { writeArchive } from './write-archive.process.js';

/** Exports that one process writes at a time. */
const mostAtOnce = 4;
/** How long a client may take for one, ms: it keeps one of these places. */
const longestMs = 3_600_000;

/** Answers the addresses of exports: each writes its archive while it is fetched, so that nothing has to be kept. */
export class ExportServer {
  readonly #context: ServiceContext;
  readonly #objects: ContentObjects;
  #underWay = 0;

  constructor(context: ServiceContext, objects: ContentObjects, server: FileServer) {
    this.#context = context;
    this.#objects = objects;
    server.serve('exports', (request) => this.#answer(request));
  }

  /** @throws AppError `forbidden` for an address that was not signed or has ended, `not_found`, `unavailable` */
  async #answer({ method, parts, expires, signature, requestId }: FileRequest): Promise<FileAnswer> {
    const [space, revision, name, ...more] = parts;
    if (space === undefined || revision === undefined || name === undefined || more.length > 0)
      throw new AppError('not_found');
    this.#requireSigned({ space, revision, name, expires }, signature);
    const context = { actor: { kind: 'system' as const, id: 'exports' }, operation: 'exportSpace', organization: null };
    const store = this.#context.store.scope({ ...context, correlation: requestId }, {});
    const scope = this.#context.scope(store);
    const node = await findNode(scope, space);
    if (node?.kind !== 'space' || node.deletedAt !== null) throw new AppError('not_found');
    const { tree } = await viewContent(
      scope,
      this.#objects,
      node.organization,
      { space, revision },
      { computed: false },
    );
    const answer = { status: 200, headers: headersOf(name) } as const;
    if (method === 'HEAD') return answer;
    return { ...answer, body: await this.#counted(() => writeArchive(scope, this.#objects, tree)) };
  }

  #requireSigned(address: ExportAddress, signature: string): void {
    const { keys, now } = this.#context;
    if (!isSigned(keys, signedOf(address), signature))
      throw blaming('forbidden', 'query.signature', 'The address was not made by this installation');
    if (address.expires * 1_000 <= now())
      throw blaming('forbidden', 'query.expires', 'The address has ended, get another one');
  }

  async #counted(write: () => Promise<Readable>): Promise<Readable> {
    if (this.#underWay >= mostAtOnce)
      throw new AppError('unavailable', [], { message: 'Too many exports are under way', retryAfter: 5 });
    this.#underWay += 1;
    let isOver = false;
    let limit: NodeJS.Timeout | undefined;
    const over = (): void => {
      if (!isOver) this.#underWay -= 1;
      isOver = true;
      clearTimeout(limit);
    };
    try {
      const stream = await write();
      limit = setTimeout(() => void stream.destroy(new Error('The export took too long')), longestMs).unref();
      return stream.once('close', over).once('end', over).once('error', over);
    } catch (error) {
      over();
      throw error;
    }
  }
}

function headersOf(name: string): Record<string, string> {
  return {
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  };
}

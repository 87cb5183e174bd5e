import { AppError, blaming } from '@scriptorium/contracts';
import type { ServiceContext } from '@scriptorium/platform';
import {
  fileName,
  giveBytes,
  isSigned,
  type FileAnswer,
  type FileRequest,
  type FileServer,
  type FileStore,
} from '../../versions/index.js';
import { findNode } from '../../library/index.js';
import { signedOf, type PdfAddress } from './pdf-address.process.js';
import type { PdfLayouts } from './pdf-layouts.process.js';
import { poolOfPdfs } from './pdf-store.process.js';
import { findPdf, forgetMade, usePdf } from './pdfs.operational.js';

/** How long a request waits for a PDF that is being made, ms. */
const waitMs = 30_000;

interface Parts {
  context: ServiceContext;
  layouts: PdfLayouts;
  files: FileStore;
  server: FileServer;
}

/** Answers the addresses of PDFs. */
export class PdfServer {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.server.serve('pdf', (request) => this.#answer(request));
  }

  /** @throws AppError `forbidden` for an address that was not signed or has ended, and what the making throws */
  async #answer({ method, parts, expires, signature, requestId, headers }: FileRequest): Promise<FileAnswer> {
    const [key, name, ...more] = parts;
    if (key === undefined || name === undefined || more.length > 0) throw new AppError('not_found');
    const address = { key, name, expires };
    this.#requireSigned(address, signature);
    const { context, layouts, files } = this.#parts;
    const asked = await findPdf(context, key);
    if (asked === undefined) throw new AppError('not_found');
    const { space, organization } = asked;
    const actor = { kind: 'system' as const, id: 'pdf' };
    const of = { actor, operation: 'getSpacePdf', organization, correlation: requestId };
    const store = context.store.scope(of, {});
    const node = await findNode(context.scope(store), space);
    if (node?.kind !== 'space' || node.deletedAt !== null || node.organization !== organization)
      throw new AppError('not_found');
    const { hash, size } = await layouts.wait(store, key, context.now() + waitMs);
    await usePdf(context, key, context.now());
    const bytes = { pool: poolOfPdfs(space), hash, size, headers: headersOf(address, hash, context.now()) };
    try {
      return await giveBytes(files, bytes, { method, headers });
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'not_found') throw error;
      // The store has lost them: they are made again when they are asked for next.
      await forgetMade(context, key);
      throw new AppError('unavailable', [], { message: 'The PDF is made again, try again', retryAfter: 1 });
    }
  }

  #requireSigned(address: PdfAddress, signature: string): void {
    const { keys, now } = this.#parts.context;
    if (!isSigned(keys, signedOf(address), signature))
      throw blaming('forbidden', 'query.signature', 'The address was not made by this installation');
    if (address.expires * 1_000 <= now())
      throw blaming('forbidden', 'query.expires', 'The address has ended, get another one');
  }
}

/** Nothing in it runs: it has no scripts. Browsers show it, which they would not do in a sandbox. */
function headersOf({ name, expires }: PdfAddress, hash: string, now: number): Record<string, string> {
  const seconds = Math.max(0, expires - Math.ceil(now / 1_000));
  return {
    'accept-ranges': 'bytes',
    'content-type': 'application/pdf',
    'content-disposition': `inline; ${fileName(name)}`,
    'content-security-policy': "frame-ancestors 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': `private, max-age=${seconds}`,
    etag: `"${hash}"`,
  };
}

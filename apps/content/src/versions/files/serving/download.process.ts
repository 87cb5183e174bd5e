import { blaming } from '@scriptorium/contracts';
import type { ServiceContext } from '@scriptorium/platform';
import type { IncomingHttpHeaders } from 'node:http';
import type { FileStore } from '../store/file-store.operational.js';
import { giveFile, type FileAnswer } from '../store/give-file.process.js';
import { isSigned } from '../store/signed-urls.js';

/** The address of a file, as it was signed. */
export interface FileAddress {
  alias: string;
  hash: string;
  name: string;
  type: string;
  /** Seconds since 1970. */
  expires: number;
  signature: string;
}

/**
 * Answers a GET or HEAD of a file.
 * @throws AppError `forbidden` for an address that was not signed or has ended, `not_found` for bytes that are gone
 */
export async function download(
  context: ServiceContext,
  files: FileStore,
  address: FileAddress,
  request: { method: string; headers: IncomingHttpHeaders },
): Promise<FileAnswer> {
  requireSigned(context, address);
  const seconds = Math.max(0, address.expires - Math.ceil(context.now() / 1_000));
  return giveFile(context, files, { ...address, cached: `private, max-age=${seconds}` }, request);
}

function requireSigned({ keys, now }: ServiceContext, address: FileAddress): void {
  const { alias, hash, name, type, expires, signature } = address;
  if (!isSigned(keys, ['get', alias, hash, name, type, expires], signature))
    throw blaming('forbidden', 'query.signature', 'The address was not made by this installation');
  if (expires * 1_000 <= now()) throw blaming('forbidden', 'query.expires', 'The address has ended, get another one');
}

import { AppError, blaming, invalid, specBounds, type SpecSource } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { nameOfText } from '@scriptorium/tree';
import { findUpload, markUsed, type FileStore } from '../../versions/index.js';
import { keepBytes, poolOf } from './spec-bytes.operational.js';
import { keepText } from './spec-texts.operational.js';
import type { Spec } from './spec.js';

interface Place {
  organization: string;
  spec: string;
}

/**
 * Keeps the source of a specification, and gives what events say of it.
 * @throws AppError `invalid_request` for an address or an upload that is refused, `too_large`, naming the field;
 * `limit_reached`
 */
export async function storeSource(
  call: Call,
  files: FileStore,
  place: Place,
  { url, text = '', upload }: SpecSource,
): Promise<Spec['source']> {
  if (url !== undefined) return storeUrl(call, place, url);
  const name =
    upload === undefined ? await storeText(call, files, place, text) : await storeUpload(call, files, place, upload);
  // Tells when the bytes were given: what is old and replaced is dropped after a run.
  if (!call.store.dry) await keepText(call, place.spec, name, {});
  return { kind: 'text', name };
}

async function storeUrl(call: Call, { spec }: Place, url: string): Promise<Spec['source']> {
  call.outbound.check(url, 'body.source.url');
  const name = `url-${nameOfText(url).slice(0, 24)}`;
  if (!call.store.dry) await keepText(call, spec, name, { url });
  return { kind: 'url', name };
}

async function storeText(call: Call, files: FileStore, place: Place, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  requireSize('body.source.text', bytes.length);
  if (call.store.dry) return nameOfText(text);
  return keepBytes(call, files, { ...place, part: 'source' }, bytes);
}

async function storeUpload(call: Call, files: FileStore, place: Place, key: string): Promise<string> {
  const field = 'body.source.upload';
  const { organization, spec } = place;
  const found = await findUpload(call, key, call.now());
  if (found?.organization !== organization || found.user !== call.principal.id || found.kind === 'staged')
    throw invalid(field, 'There is no such upload of yours, or it has ended');
  if (found.kind !== 'organization_file') throw invalid(field, 'Must be an upload of the kind organization_file');
  if (found.bytes === null) throw invalid(field, 'Its bytes have not arrived');
  requireSize(field, found.size);
  const { hash } = found.bytes;
  const pool = poolOf({ spec, part: 'source' });
  await files.keep(call, { organization, pool }, [{ upload: key, hash, size: found.size }]);
  if (!call.store.dry) await markUsed(call, [key]);
  return hash;
}

function requireSize(field: string, bytes: number): void {
  if (bytes > specBounds.textBytes)
    throw blaming('too_large', field, `Must have at most ${specBounds.textBytes} bytes`);
}

/** Whether another request has created the specification in the meantime. */
export function isLostRace(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'conflict' && error.details.length === 0;
}

import { blaming, specBounds, type SpecSource } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { nameOfText } from '@scriptorium/tree';
import type { FileStore } from '../../versions/index.js';
import { keepBytes } from './spec-bytes.operational.js';
import { keepText } from './spec-texts.operational.js';
import type { Spec } from './spec.js';

/**
 * Keeps the source of a specification, and gives what events say of it.
 * @throws AppError `invalid_request` for an address that is refused, `too_large`, naming the field
 */
export async function storeSource(
  call: Call,
  files: FileStore,
  spec: string,
  { url, text = '' }: SpecSource,
): Promise<Spec['source']> {
  if (url !== undefined) {
    call.outbound.check(url, 'body.source.url');
    const name = `url-${nameOfText(url).slice(0, 24)}`;
    if (!call.store.dry) await keepText(call, spec, name, { url });
    return { kind: 'url', name };
  }
  const bytes = Buffer.from(text);
  if (bytes.length > specBounds.textBytes)
    throw blaming('too_large', 'body.source.text', `Must have at most ${specBounds.textBytes} bytes`);
  if (call.store.dry) return { kind: 'text', name: nameOfText(text) };
  const name = await keepBytes(call, files, { spec, part: 'source' }, bytes);
  // Tells when the bytes were given: what is old and replaced is dropped after a run.
  await keepText(call, spec, name, {});
  return { kind: 'text', name };
}

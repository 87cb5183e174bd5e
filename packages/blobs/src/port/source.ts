import { BlobError } from './error.js';
import { within } from './within.js';

/**
 * The bytes of a source until `deadline` (milliseconds since 1970).
 * @throws BlobError `interrupted` when the source fails or is late, `invalid` when it gives something else than bytes
 */
export async function* readSource(bytes: AsyncIterable<Uint8Array>, deadline: number): AsyncGenerator<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]();
  let ended = false;
  try {
    for (;;) {
      const next = await nextOf(source, deadline);
      if (next.done === true) {
        ended = true;
        return;
      }
      if (!(next.value instanceof Uint8Array))
        throw new BlobError('invalid', 'bytes must give Uint8Array', { field: 'bytes' });
      yield next.value;
    }
  } finally {
    // Not awaited: a source that hangs would answer only when it goes on.
    if (!ended) void Promise.resolve(source.return?.()).catch(() => undefined);
  }
}

async function nextOf(source: AsyncIterator<Uint8Array>, deadline: number): Promise<IteratorResult<Uint8Array>> {
  try {
    return await within(source.next(), deadline - Date.now(), lateError);
  } catch (error) {
    if (error instanceof BlobError) throw error;
    throw new BlobError('interrupted', 'The bytes were cut off', { field: 'bytes', cause: error });
  }
}

/** @throws BlobError `interrupted` when the deadline has passed */
export function checkDeadline(deadline: number): void {
  if (Date.now() > deadline) throw lateError();
}

function lateError(): BlobError {
  return new BlobError('interrupted', 'The bytes did not end before the deadline', {
    field: 'deadline',
    cause: new DOMException('The deadline passed', 'TimeoutError'),
  });
}

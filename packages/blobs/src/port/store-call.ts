import { isNativeError } from 'node:util/types';
import { BlobError } from './error.js';
import { STORE_TIMEOUT_MS } from './limits.js';
import { within } from './within.js';

/**
 * What one operation of the store gives.
 * @throws BlobError `store_failed` with the error of the store as its cause, or when it does not answer in time
 */
export async function storeCall<T>(what: string, call: () => Promise<T>, ms = STORE_TIMEOUT_MS): Promise<T> {
  const late = () => new BlobError('store_failed', `${what}: the store did not answer in ${String(ms)} ms`);
  try {
    return await within(call(), ms, late);
  } catch (error) {
    if (error instanceof BlobError) throw error;
    throw new BlobError('store_failed', `${what}: ${messageOf(error)}`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return isNativeError(error) ? error.message : String(error);
}

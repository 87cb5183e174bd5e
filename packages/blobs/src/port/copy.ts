import { type ReadBlob } from './blobs.js';
import { type Draft } from './receive.js';

/** Writes a blob that is being read once more; whatever goes wrong, the draft is discarded. */
export async function copyThrough(
  { size, stream }: ReadBlob,
  hash: string,
  begin: () => Promise<Draft>,
): Promise<void> {
  try {
    const draft = await begin();
    try {
      for await (const bytes of stream) await draft.append(bytes as Uint8Array);
      await draft.publish(hash, size);
    } catch (error) {
      // What cannot be removed now is swept later.
      await draft.discard().catch(() => undefined);
      throw error;
    }
  } finally {
    stream.destroy();
  }
}

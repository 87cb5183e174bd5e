/**
 * Gathers bytes into parts of `size` bytes and gives each to `full`, which may keep them only until it resolves: the
 * memory is used again. `rest` is what has not been given yet.
 */
export function partBuffer(
  size: number,
  full: (part: Uint8Array) => Promise<void>,
): { add(bytes: Uint8Array): Promise<void>; rest(): Uint8Array } {
  const part = Buffer.allocUnsafeSlow(size);
  let used = 0;
  return {
    async add(bytes) {
      for (let at = 0; at < bytes.byteLength;) {
        // Given on only when more comes, so that the last part is never empty.
        if (used === size) {
          await full(part);
          used = 0;
        }
        const taken = bytes.subarray(at, at + size - used);
        part.set(taken, used);
        used += taken.byteLength;
        at += taken.byteLength;
      }
    },
    rest: () => part.subarray(0, used),
  };
}

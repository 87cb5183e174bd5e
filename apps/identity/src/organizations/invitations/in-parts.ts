interface Parts<T> {
  /** The most of one part. */
  size: number;
  /** Whether nothing further is begun. */
  isOver: () => boolean;
  work: (part: readonly T[]) => Promise<void>;
}

/**
 * Works on a list part by part until it is over; the first part is done in any case. How many are done, and those that
 * are left.
 */
export async function inParts<T>(
  all: readonly T[],
  { size, isOver, work }: Parts<T>,
): Promise<{ done: number; left: readonly T[] }> {
  let done = 0;
  while (done < all.length && (done === 0 || !isOver())) {
    const part = all.slice(done, done + size);
    await work(part);
    done += part.length;
  }
  return { done, left: all.slice(done) };
}

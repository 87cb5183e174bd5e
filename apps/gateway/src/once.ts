/** Does the work at the first call. Later calls return the same result. */
export function once<T>(work: () => T): () => T {
  let done: { result: T } | undefined;
  return () => (done ??= { result: work() }).result;
}

/** The work is done when it is first asked for; whoever asks later gets the same result. */
export function once<T>(work: () => T): () => T {
  let done: { result: T } | undefined;
  return () => (done ??= { result: work() }).result;
}

type Listener = () => void;

/** Who wants to know of commits: of all of them, or of those to one stream. */
export class Watchers {
  private readonly all = new Set<Listener>();
  private readonly ofStreams = new Map<string, Set<Listener>>();

  /** Returns what ends the calls. */
  add(stream: string | undefined, listener: Listener): () => void {
    if (stream === undefined) {
      this.all.add(listener);
      return () => this.all.delete(listener);
    }
    const set = this.ofStreams.get(stream) ?? new Set();
    this.ofStreams.set(stream, set.add(listener));
    return () => {
      set.delete(listener);
      if (set.size === 0 && this.ofStreams.get(stream) === set) this.ofStreams.delete(stream);
    };
  }

  /** Tells of a commit to these streams. */
  call(streams: ReadonlySet<string>): void {
    for (const listener of this.all) listener();
    for (const name of streams)
      this.ofStreams.get(name)?.forEach((listener) => {
        listener();
      });
  }
}

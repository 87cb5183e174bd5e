/** How long conversations are kept. */
export class Retention {
  constructor(
    /** 0: for ever. */
    readonly days: number,
    private readonly now: () => number,
  ) {}

  /** Conversations that were created before are not kept; `undefined` if all are. */
  keptSince(): string | undefined {
    return this.days === 0 ? undefined : new Date(this.now() - this.days * 86_400_000).toISOString();
  }
}

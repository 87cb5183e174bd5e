/** Something to be done later. The same id again replaces what was scheduled. */
export interface NewTimer {
  readonly id: string;
  /** Epoch ms by the store's clock. */
  readonly at: number;
  /** Which handler. */
  readonly command: string;
  /** JSON-like. */
  readonly data: unknown;
  readonly organization: string | null;
  readonly correlation: string;
}

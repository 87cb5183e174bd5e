/** The result of a handler that also sets or removes the session cookie of the client. */
export class WithSession<T> {
  constructor(
    readonly result: T,
    /** The text of the session to set; null removes the cookie. */
    readonly session: string | null,
  ) {}
}

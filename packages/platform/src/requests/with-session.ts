/** What a handler returns whose answer also sets the client's session cookie, or takes it away. */
export class WithSession<T> {
  constructor(
    readonly result: T,
    /** Text of the session to set; null forgets the client's. */
    readonly session: string | null,
  ) {}
}

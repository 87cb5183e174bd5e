/** The result of a handler that also says with which status it is answered, or where what it has created is. */
export class Reply<T> {
  constructor(
    readonly result: T,
    /** `status`: 204 for an answer without a body. `location`: the address of what was created. */
    readonly told: { status?: 204; location?: string },
  ) {}
}

/** The result of a handler that redirects a browser. */
export class Redirect {
  /** `location`: the target, in visible ASCII. */
  constructor(readonly location: string) {}
}

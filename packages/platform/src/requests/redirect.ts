/** What a handler returns that sends a browser elsewhere. */
export class Redirect {
  /** `location`: where to, in visible ASCII. */
  constructor(readonly location: string) {}
}

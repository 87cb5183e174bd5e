/** The fields of an element, as a script has answered them: each can be anything. */
export type Fields = Readonly<Record<string, unknown>>;

/** What a component of an integration has rendered. */
export interface Component {
  element: Fields;
  /** What names such as `{$state: 'text'}` stand for. */
  state: Fields;
}

/** Why an operation on a tree stopped. */
export type TreeErrorCode =
  | 'part_missing'
  | 'part_invalid'
  | 'key_invalid'
  | 'key_too_long'
  | 'value_invalid'
  | 'value_too_large'
  | 'range_invalid';

/** What the error is about: the key of an entry, the name of a part, or the option of a call. */
export interface TreeErrorSubject {
  readonly key?: string;
  readonly part?: string;
  readonly option?: string;
}

/** The one error of this package. Recognise it by `code`; `subject` names the key, part or option. */
export class TreeError extends Error {
  override readonly name = 'TreeError';

  constructor(
    readonly code: TreeErrorCode,
    message: string,
    readonly subject: TreeErrorSubject = {},
  ) {
    super(message);
  }
}

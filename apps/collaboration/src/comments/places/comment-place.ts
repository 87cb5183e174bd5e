import type { ViewedSpace } from '../../spaces/index.js';

/** Where comments are, as somebody looks at them: the main content of a space, or one of its change requests. */
export interface CommentPlace {
  space: ViewedSpace;
  changeRequest: string | null;
  /** Path of the place below the API. */
  path: string;
}

/** The id of the place, which is also that of its branch of content. */
export function idOfPlace({ space, changeRequest }: CommentPlace): string {
  return changeRequest ?? space.id;
}

import type { Elem } from '../bson/index.js';

/** One change of one path. */
export interface Mod {
  readonly op: string;
  readonly path: string;
  readonly parts: readonly string[];
  readonly operand: Elem;
}

/** The document being changed, as far as operators need to know it. */
export interface Target {
  readonly id: Elem | undefined;
  readonly inserting: boolean;
}

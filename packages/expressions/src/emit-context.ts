import { type Node } from './node.js';
import { type Evaluate } from './runtime.js';
import { type Value } from './value.js';

/** Compiles a node; emitters receive it to compile their children. */
export type Emit = (node: Node) => Evaluate;

/** What an optional access yields when there is no receiver; it skips the rest of its chain and never leaves it. */
export const SKIPPED: Value = Object.freeze({ skipped: true });

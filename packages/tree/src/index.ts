export { apply, type Edit, build } from './write.js';
export { type Bounds } from './spans.js';
export { diff, type Difference } from './diff.js';
export { TreeError, type TreeErrorCode, type TreeErrorSubject } from './error.js';
export { get, getMany, count, range, type RangeOptions, walk, type WalkOptions } from './read.js';
export { canonical, isSame, type Json } from './json.js';
export {
  layered,
  noParts,
  type Written,
  type Child,
  decodePart,
  EMPTY_ROOT,
  encodePart,
  type Entry,
  type Inner,
  type Leaf,
  nameOf,
  nameOfText,
  type NewPart,
  type Part,
  type Parts,
} from './part.js';
export { DEFAULT_LIMITS, type TreeLimits, type WriteOptions } from './limits.js';
export {
  type Conflict,
  merge,
  type Merged,
  type MergeRoots,
  type Resolution,
  type Resolve,
  type Sides,
} from './merge.js';

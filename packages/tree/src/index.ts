export { apply, type Edit } from './apply.js';
export { type Bounds } from './bounds.js';
export { build } from './build.js';
export { diff, type Difference } from './diff.js';
export { TreeError, type TreeErrorCode, type TreeErrorSubject } from './error.js';
export { get, getMany } from './get.js';
export { canonical, isSame, type Json } from './json.js';
export { layered, noParts } from './layered.js';
export { DEFAULT_LIMITS, type TreeLimits, type WriteOptions } from './limits.js';
export { type Written } from './make.js';
export {
  type Conflict,
  merge,
  type Merged,
  type MergeRoots,
  type Resolution,
  type Resolve,
  type Sides,
} from './merge.js';
export {
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
export { count, range, type RangeOptions } from './range.js';
export { walk, type WalkOptions } from './walk.js';

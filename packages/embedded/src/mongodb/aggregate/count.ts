import { T, textOf, toBson, type Elem } from '../bson/index.js';
import { ServerError } from '../bson/errors.js';
import type { Stage } from './group.js';

/** Parses `$count`: the name of the field that says how many documents came. */
export function countStage(v: Elem): Stage {
  if (v.t !== T.string) throw new ServerError(40156, 'the count field must be a non-empty string');
  const name = textOf(v);
  if (name === '') throw new ServerError(40157, 'the count field must be a non-empty string');
  if (name.startsWith('$')) throw new ServerError(40158, 'the count field cannot be a $-prefixed path');
  if (name.includes('.')) throw new ServerError(40160, "the count field cannot contain '.'");
  return function* run(docs) {
    let n = 0;
    for (const doc of docs) {
      if (doc === undefined) yield undefined;
      else n += 1;
    }
    if (n > 0) yield toBson({ [name]: n });
  };
}

import { compareElems, equalElems, T } from '../bson/index.js';
import type { Index } from '../store/model.js';
import { conjuncts } from './index-plan.js';
import type { Node, Pred } from '../filter/node.js';

/** Whether the index lists every document the query can want. */
export function isComplete(index: Index, nodes: readonly Node[]): boolean {
  if (index.partial !== undefined && !conjuncts(index.partial).every((p) => implied(p, nodes))) return false;
  if (!index.sparse) return true;
  return index.fields.some((f) =>
    nodes.some((n) => n.k === 'pred' && n.path.text === f.path.text && excludesMissing(n)),
  );
}

const excludesMissing = (p: Pred): boolean => p.op !== '$type' && !p.test(undefined);

/** Whether the query's conditions guarantee a condition of a partial index. */
function implied(condition: Node, nodes: readonly Node[]): boolean {
  if (condition.k !== 'pred') return false;
  return nodes.some((n) => n.k === 'pred' && n.path.text === condition.path.text && stronger(n, condition));
}

function stronger(query: Pred, condition: Pred): boolean {
  if (condition.op === '$exists') return excludesMissing(query);
  if (query.op === '$eq')
    return query.operand.t !== T.null && query.operand.t !== T.array && condition.test(query.operand);
  if (query.op === condition.op && equalElems(query.operand, condition.operand)) return true;
  const c = compareElems(query.operand, condition.operand);
  if (query.op.startsWith('$g') && condition.op.startsWith('$g')) return c > 0 && condition.test(query.operand);
  return query.op.startsWith('$l') && condition.op.startsWith('$l') && c < 0 && condition.test(query.operand);
}

import { isMembers, members, type Members } from '../text/values.js';
import { dropUnused } from './drop-unused.js';
import { cleanExamples } from './internal/clean-examples.js';
import { withoutItems } from './internal/forget-properties.js';
import { forgetSecurity } from './internal/forget-security.js';
import { reachOfInternal } from './internal/internal-reach.js';
import { internalTags, markInternal, passesInternal } from './internal/mark-internal.js';
import { stepCounter } from './internal/schema-parts.js';
import { at, mappedRef, partsOf, refOf, refsIn } from './pointers.js';

/**
 * Takes out of a document whatever is marked `x-internal: true`: paths, operations, parameters, properties, schemas,
 * tags, references to them, their names, and values of them in examples; then components that only these parts used.
 * It may be of any version. The value is changed.
 * @throws UnreadableSpecification when what is internal is used in too many ways
 */
export function dropInternal(root: Members): void {
  markInternal(root);
  const isGone = goneIn(root);
  const reached = reachOfInternal(root, isGone);
  if (reached.size > 0) {
    forgetSecurity(root, isGone);
    cleanExamples({ root, isGone, reached, step: stepCounter() });
  }
  const pruning: Pruning = { isGone, tags: internalTags(root), usedByGone: new Set() };
  prune(root, pruning);
  if (pruning.usedByGone.size > 0) dropUnused(root, pruning.usedByGone);
}

interface Pruning {
  isGone: (value: unknown) => boolean;
  /** Names of tags that are internal. */
  tags: ReadonlySet<string>;
  /** References out of what was taken out. */
  usedByGone: Set<string>;
}

function prune(node: unknown, pruning: Pruning): void {
  if (Array.isArray(node)) {
    const kept = (node as unknown[]).filter((item) => isKept(item, pruning));
    if (kept.length < node.length) node.splice(0, node.length, ...kept);
    for (const item of kept) prune(item, pruning);
  }
  if (!isMembers(node)) return;
  const object = node as Record<string, unknown>;
  for (const [name, member] of Object.entries(object)) {
    if (typeof member !== 'object') continue;
    if (isKept(member, pruning)) prune(member, pruning);
    else delete object[name];
  }
  forgetNames(object, pruning);
}

function isKept(value: unknown, { isGone, usedByGone }: Pruning): boolean {
  if (!isGone(value)) return true;
  for (const ref of refsIn(value)) usedByGone.add(ref);
  return false;
}

/** Names of what is gone where they stand as texts, and lists that are empty without it. */
function forgetNames(object: Record<string, unknown>, { isGone, tags }: Pruning): void {
  if (tags.size > 0) forgetTags(object, tags);
  const discriminator = members(object['discriminator']) as Record<string, unknown>;
  const isGoneTarget = (target: unknown) => typeof target === 'string' && isGone({ $ref: mappedRef(target) });
  if (isGoneTarget(discriminator['defaultMapping'])) delete discriminator['defaultMapping'];
  const mapping = members(discriminator['mapping']) as Record<string, unknown>;
  const targets = Object.entries(mapping);
  for (const [value, target] of targets) if (isGoneTarget(target)) delete mapping[value];
  if (targets.length > 0 && Object.keys(mapping).length === 0) delete discriminator['mapping'];
  for (const combined of ['allOf', 'anyOf', 'oneOf'])
    if (Array.isArray(object[combined]) && object[combined].length === 0) delete object[combined];
}

function forgetTags(object: Record<string, unknown>, tags: ReadonlySet<string>): void {
  withoutItems(object, 'tags', (tag) => typeof tag === 'string' && tags.has(tag));
  for (const name of ['parent', 'x-parent'])
    if (typeof object[name] === 'string' && tags.has(object[name])) delete object[name];
}

/** Whether a value is marked, or refers to what is. References are judged by the document before anything goes. */
function goneIn(root: Members): (value: unknown) => boolean {
  const leads = new Map<string, boolean>();
  for (const ref of refsIn(root)) if (!leads.has(ref)) leads.set(ref, leadsToInternal(root, ref));
  return (value) => {
    if (!isMembers(value)) return false;
    const ref = refOf(value);
    return value['x-internal'] === true || (ref !== null && leads.get(ref) === true);
  };
}

const mostHops = 50;

function leadsToInternal(root: Members, start: string): boolean {
  let ref: string | null = start;
  for (let hops = 0; ref !== null && hops < mostHops; hops += 1) {
    const parts = partsOf(ref);
    if (parts === null) return false;
    if (passesInternal(root, parts)) return true;
    ref = refOf(at(root, parts));
  }
  return false;
}

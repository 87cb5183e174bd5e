import { entriesOf, isMembers, members, setMember, type Members } from '../../text/values.js';
import { partsOf } from '../pointers.js';

/**
 * What stands in place of a way of authorization that is internal as a whole. No scheme has the name: it tells that
 * there is one, since an operation without any would look open.
 */
const undisclosed = 'undisclosed';

/** Takes internal security schemes out of what operations require. The document is changed. */
export function forgetSecurity(root: Members, isGone: (value: unknown) => boolean): void {
  const schemes = members(root['securityDefinitions'] ?? members(root['components'])['securitySchemes']);
  const gone = new Set(Object.keys(schemes).filter((name) => isGone(schemes[name])));
  if (gone.size === 0) return;
  const isNamed = (name: string) => gone.has(name) || gone.has(partsOf(name)?.at(-1) ?? '');
  const rest: unknown[] = [root];
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const { security } = members(node);
    if (Array.isArray(security) && isMembers(node)) forgetIn(node, security, isNamed);
    for (const member of Object.values(node)) if (typeof member === 'object' && member !== null) rest.push(member);
  }
}

function forgetIn(
  holder: Record<string, unknown>,
  security: readonly unknown[],
  isNamed: (name: string) => boolean,
): void {
  if (!security.some((way) => entriesOf(way).some(([name]) => isNamed(name)))) return;
  // `{}` was there before: it tells that authorization is optional.
  const ways = security.map((way) => withoutNamed(way, isNamed)).filter((way) => way !== null);
  const isRequired = security.every((way) => entriesOf(way).length > 0);
  const isKept = ways.some((way) => entriesOf(way).length > 0);
  holder['security'] = isKept || !isRequired ? ways : [{ [undisclosed]: [] }];
}

/** A way without what is internal; `null` when nothing is left of it. */
function withoutNamed(way: unknown, isNamed: (name: string) => boolean): unknown {
  const entries = entriesOf(way);
  const kept = entries.filter(([name]) => !isNamed(name));
  if (kept.length === entries.length) return way;
  if (kept.length === 0) return null;
  const left: Record<string, unknown> = {};
  for (const [name, scopes] of kept) setMember(left, name, scopes);
  return left;
}

import { operationsOfItem } from '../documents/path-item.js';
import { at, follow, partsOf, refOf } from '../documents/pointers.js';
import { entriesOf, isMembers, listOf, members, setMember, type Members } from '../text/values.js';

/** An operation with everything that belongs to it but schemas: those stay references. */
export interface CompleteOperation {
  method: string;
  /** Its path; the name of a webhook. */
  path: string;
  operation: Members;
  servers: readonly unknown[];
  /** The security schemes that it names, by their names. */
  securitySchemes: Members;
}

/** The operations of paths, or of webhooks, as they stand in a document. */
export function* operationsIn(
  root: Members,
  part: 'paths' | 'webhooks',
): Generator<[string, string, Members, Members]> {
  for (const [path, given] of entriesOf(root[part])) {
    const item = members(follow(root, given));
    for (const [method, operation] of operationsOfItem(item)) yield [path, method, item, operation];
  }
}

/** Completes an operation: parameters of its path, servers, security, and components other than schemas. */
export function complete(
  root: Members,
  [path, method, item, given]: [string, string, Members, Members],
): CompleteOperation {
  const parameters = parametersOf(root, item, given);
  const security = given['security'] ?? root['security'];
  const own = { ...given, ...(parameters.length > 0 && { parameters }), ...(security !== undefined && { security }) };
  return {
    method,
    path,
    operation: members(inlined(root, own)),
    servers: [given['servers'], item['servers'], root['servers']].map(listOf).find((list) => list.length > 0) ?? [],
    securitySchemes: schemesOf(root, security),
  };
}

/** The parameters of the path and those of the operation, which win over them. */
function parametersOf(root: Members, item: Members, operation: Members): unknown[] {
  const all = new Map<string, unknown>();
  for (const given of [...listOf(item['parameters']), ...listOf(operation['parameters'])]) {
    const parameter = members(follow(root, given));
    all.set(JSON.stringify([parameter['in'], parameter['name']]), given);
  }
  return [...all.values()];
}

function schemesOf(root: Members, security: unknown): Members {
  const schemes = members(members(root['components'])['securitySchemes']);
  const named: Record<string, unknown> = {};
  for (const requirement of listOf(security))
    for (const [name] of entriesOf(requirement))
      if (Object.hasOwn(schemes, name)) setMember(named, name, follow(root, schemes[name]));
  return named;
}

/** Kinds of components that are written out where they are used. None of them can make up most of a document. */
const writtenOut = new Set([
  'parameters',
  'responses',
  'headers',
  'requestBodies',
  'examples',
  'links',
  'callbacks',
  'pathItems',
]);
/** Values that one operation can come to by that; what goes beyond stays a reference. */
const mostValues = 200_000;

function inlined(root: Members, value: unknown): unknown {
  let values = 0;
  return write(value, []);

  function write(node: unknown, within: readonly string[]): unknown {
    values += 1;
    if (Array.isArray(node)) return node.map((item) => write(item, within));
    if (!isMembers(node)) return node;
    const ref = refOf(node);
    const target = ref === null || within.includes(ref) || values > mostValues ? undefined : componentOf(root, ref);
    if (ref !== null && target !== undefined) return write(withOverrides(node, target), [...within, ref]);
    const copy: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(node)) setMember(copy, name, write(member, within));
    return copy;
  }
}

/** OpenAPI 3.1 lets a reference say its own summary and description. */
function withOverrides(reference: Members, target: unknown): unknown {
  if (!isMembers(target)) return target;
  const own = (['summary', 'description'] as const).filter((name) => typeof reference[name] === 'string');
  return own.length === 0 ? target : { ...target, ...Object.fromEntries(own.map((name) => [name, reference[name]])) };
}

function componentOf(root: Members, ref: string): unknown {
  const parts = partsOf(ref);
  if (parts?.length !== 3 || parts[0] !== 'components' || !writtenOut.has(parts[1] ?? '')) return undefined;
  return at(root, parts);
}

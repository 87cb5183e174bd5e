import { compile, VISITOR_VARIABLES } from '@scriptorium/expressions';
import { evaluate, type Fragment, type Node, type RichDocument } from '@scriptorium/rich-text';
import { createHash } from 'node:crypto';

type Variables = Readonly<Record<string, string>>;
type Claims = Readonly<Record<string, unknown>>;

/** With what conditions and expressions are evaluated. */
export interface Seen {
  type: 'human' | 'agent';
  claims: Claims;
  variables: { space: Variables; page: Variables };
}

/** The document as somebody sees it: conditions are decided, and expressions are texts. */
export function seeDocument(
  document: RichDocument,
  { type, claims, variables }: Seen,
  mode: 'all' | 'deterministic-only' = 'all',
): RichDocument {
  return evaluate(document, {
    compile: (source) => {
      const expression = compile(source, { variables: VISITOR_VARIABLES });
      return { deterministic: expression.deterministic, evaluate: (scope: object) => expression.evaluate(scope) };
    },
    claims: claims as never,
    visitorType: type,
    mode,
    variables: { space: { ...variables.space }, page: { ...variables.page } },
  });
}

/** Whether a condition holds. One that cannot be read does not. */
export function holds(condition: string, { type, claims, variables }: Seen): boolean {
  const scope = { visitor: { type, claims }, space: { vars: variables.space }, page: { vars: variables.page } };
  try {
    return compile(condition, { variables: VISITOR_VARIABLES }).test(scope as never);
  } catch {
    return false;
  }
}

/** A name for everything that these conditions and expressions read: equal names see the same. */
export function seenAs(sources: Iterable<string>, { type, claims, variables }: Seen): string {
  const scope = { visitor: { type, claims }, space: { vars: variables.space }, page: { vars: variables.page } };
  const values = new Map<string, unknown>();
  for (const source of sources)
    for (const path of pathsIn(source)) {
      const name = JSON.stringify(path);
      if (!values.has(name)) values.set(name, valueAt(scope, path));
    }
  const read = [...values].sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(read)).digest('base64url').slice(0, 22);
}

function pathsIn(source: string): (readonly string[])[] {
  try {
    return compile(source, { variables: VISITOR_VARIABLES }).references.map(({ path }) => path);
  } catch {
    return [];
  }
}

/** The value that a read covers. What is not an object has nothing of its own below it. */
function valueAt(scope: object, path: readonly string[]): unknown {
  let value: unknown = scope;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return value;
    if (!Object.hasOwn(value, name)) return Array.isArray(value) ? value : undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** The conditions and expressions of a document. */
export function expressionsIn({ nodes }: RichDocument): string[] {
  const found = new Set<string>();
  const open: (Node | Fragment)[] = [...nodes];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.object === 'text') continue;
    if (node.object !== 'fragment' && (node.type === 'if' || node.type === 'expression')) {
      const { expression } = node.data;
      found.add(typeof expression === 'string' ? expression : '');
    }
    open.push(...(node.nodes ?? []), ...('fragments' in node ? (node.fragments ?? []) : []));
  }
  return [...found];
}

/** The document without its expressions: their values are nothing that is written in it. */
export function withoutExpressions(document: RichDocument): RichDocument {
  const inside = (nodes: readonly Node[]): Node[] =>
    nodes.flatMap((node): Node[] => {
      if (node.object === 'text') return [node];
      if (node.object === 'inline' && node.type === 'expression') return [];
      const fragments = node.fragments?.map((part) => ({ ...part, nodes: inside(part.nodes) }));
      return [{ ...node, ...(node.nodes && { nodes: inside(node.nodes) }), ...(fragments && { fragments }) } as Node];
    });
  return { ...document, nodes: inside(document.nodes) as RichDocument['nodes'] };
}

import type { Data } from '@scriptorium/rich-text';
import { compile, VISITOR_VARIABLES } from '@scriptorium/expressions';
import { evaluate, type Fragment, type Node, type RichDocument } from '@scriptorium/rich-text/reading';

type Variables = Readonly<Record<string, string>>;
type Claims = Readonly<Record<string, unknown>>;

/** With what conditions and expressions are evaluated. */
export interface Seen {
  type: 'human' | 'agent';
  claims: Claims;
  variables: { space: Variables; page: Variables };
}

/** How much of a document is evaluated, and with what. */
export interface SeenWith {
  seen: Seen;
  mode: 'all' | 'deterministic-only';
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
    claims: claims as Data,
    visitorType: type,
    mode,
    variables: { space: { ...variables.space }, page: { ...variables.page } },
  });
}

/** Whether a condition holds. One that cannot be read does not. */
export function holds(condition: string, { type, claims, variables }: Seen): boolean {
  const scope = { visitor: { type, claims }, space: { vars: variables.space }, page: { vars: variables.page } };
  try {
    return compile(condition, { variables: VISITOR_VARIABLES }).test(scope);
  } catch {
    return false;
  }
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

import { text } from '../model/build.js';
import {
  type Block,
  type Data,
  type Fragment,
  type Inline,
  type Json,
  type Node,
  type RichDocument,
} from '../model/types.js';

/** Who reads: conditions can tell people from the programs that read for them. */
export type VisitorType = 'human' | 'agent';

/** A compiled condition, as an expression engine gives it. */
export type Compiled = { evaluate: (scope: Scope) => unknown; deterministic: boolean };
export type Scope = { visitor: { type: VisitorType; claims: Data }; space: { vars: Data }; page: { vars: Data } };

export type EvaluateOptions = {
  /** The expression engine; what it throws counts as `false`. */
  compile: (source: string) => Compiled;
  claims?: Data;
  /** What conditions read as `visitor.type`. Default `human`. */
  visitorType?: VisitorType;
  variables?: { space?: Data; page?: Data };
  /** `deterministic-only` leaves what depends on anything but finite claims and variables. Default `all`. */
  mode?: 'all' | 'deterministic-only';
};

/**
 * The document as one visitor sees it: expressions become text, conditions are replaced by their content or removed. A
 * condition that fails to compile or to evaluate is false; an expression that does is empty; the empty condition is
 * true.
 */
export function evaluate(document: RichDocument, options: EvaluateOptions): RichDocument {
  const evaluator = new Evaluator(options);
  return { ...document, nodes: evaluator.nodes(document.nodes).filter((node) => node.object === 'block') };
}

const LEFT = Symbol('left');

class Evaluator {
  private readonly scope: Scope;
  private readonly results = new Map<string, unknown>();

  constructor(private readonly options: EvaluateOptions) {
    const { claims = {}, variables = {}, visitorType = 'human' } = options;
    this.scope = {
      visitor: { type: visitorType, claims },
      space: { vars: variables.space ?? {} },
      page: { vars: variables.page ?? {} },
    };
  }

  nodes(nodes: readonly Node[]): Node[] {
    return nodes.flatMap((node): Node[] => {
      if (node.object === 'text') return [node];
      return node.object === 'inline' ? [this.inline(node)] : this.block(node);
    });
  }

  private block(node: Block): Node[] {
    if (node.type === 'if') {
      const value = this.value(node.data['expression'], true);
      if (value !== LEFT) return value ? this.nodes(node.nodes ?? []) : [];
    }
    return [{ ...node, ...this.inside(node) }];
  }

  private inline(node: Inline): Node {
    if (node.type === 'expression') {
      const value = this.value(node.data['expression'], '');
      if (value !== LEFT) return { ...text(shown(value)), ...(node.key !== undefined && { key: node.key }) };
    }
    return { ...node, ...(this.inside(node) as Pick<Inline, 'nodes' | 'fragments'>) };
  }

  private inside(node: { nodes?: Node[]; fragments?: Fragment[] }): { nodes?: Node[]; fragments?: Fragment[] } {
    const fragments = node.fragments?.map((part) => ({ ...part, nodes: this.nodes(part.nodes) }));
    return { ...(node.nodes && { nodes: this.nodes(node.nodes) }), ...(fragments && { fragments }) };
  }

  /** The value of an expression; the symbol when it is to stay as it is. */
  private value(expression: Json | undefined, whenEmpty: unknown): unknown {
    const source = typeof expression === 'string' ? expression : '';
    if (source.trim() === '') return whenEmpty;
    if (!this.results.has(source)) this.results.set(source, this.compute(source));
    return this.results.get(source);
  }

  private compute(source: string): unknown {
    try {
      const compiled = this.options.compile(source);
      return this.options.mode === 'deterministic-only' && !compiled.deterministic
        ? LEFT
        : compiled.evaluate(this.scope);
    } catch {
      return false;
    }
  }
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return value === false ? '' : String(value);
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

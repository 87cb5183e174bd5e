import { LRUCache } from 'lru-cache';
import { type AdaptiveSchema } from './adaptive/schema.js';
import { type CompileOptions, compileExpression, type Expression, VISITOR_VARIABLES, withSchema } from './compile.js';
import { ExpressionError, type Problem } from './error.js';
import { LIMITS } from './limits.js';
import { type Scope, type Value } from './value.js';

/** Compiles sources for one schema and one scope, and keeps what it compiled. */
export interface Compiler {
  /** @throws ExpressionError with position, when the source is not an expression of the language */
  readonly compile: (source: string) => Expression;
  /**
   * Compiles a source that is about to be stored as a condition.
   * @throws ExpressionError also when no boolean can come out and, with a schema, when it is not deterministic
   */
  readonly compileCondition: (source: string) => Expression;
  /** The value of a stored source; `false` when it is broken or fails. Never throws. */
  readonly evaluate: (source: string, scope: Scope) => Value;
  /** Whether a visitor passes all conditions; none, null and the empty source let everybody pass. Never throws. */
  readonly test: (scope: Scope, ...conditions: readonly (string | null | undefined)[]) => boolean;
}

export interface CompilerOptions extends CompileOptions {
  /** How many sources are kept, broken ones included (default 1000); the least recently used one goes first. */
  readonly cacheSize?: number | undefined;
}

type Compiled = { readonly expression: Expression } | { readonly problem: Problem };

const attempt = (source: string, options: CompileOptions): Compiled => {
  try {
    return { expression: compileExpression(source, options) };
  } catch (error) {
    if (error instanceof ExpressionError) return { problem: error.toJSON() };
    throw error;
  }
};

// Callers without types, and what was stored by something else, may hand over anything.
const NOT_TEXT: Compiled = { problem: { code: 'syntax', message: 'An expression is text', start: 0, end: 0 } };

const requireCondition = ({ source, mayBeBoolean, problems }: Expression, schema: AdaptiveSchema | undefined): void => {
  if (!mayBeBoolean) {
    throw new ExpressionError(
      { code: 'not_boolean', message: 'A condition must be true or false', start: 0, end: source.length },
      source,
    );
  }
  const [problem] = problems;
  if (schema !== undefined && problem !== undefined) throw new ExpressionError(problem, source);
};

/** A compiler with a cache of its own. */
export const createCompiler = ({
  cacheSize = LIMITS.cachedExpressions,
  ...options
}: CompilerOptions = {}): Compiler => {
  const known = new LRUCache<string, Compiled>({ max: cacheSize });
  const compiled = (source: unknown): Compiled => {
    if (typeof source !== 'string') return NOT_TEXT;
    const kept = known.get(source);
    if (kept !== undefined) return kept;
    const fresh = attempt(source, options);
    // A source that is too long costs nothing to refuse again, and keeping it would leave the cache without a bound.
    if (source.length <= LIMITS.sourceLength) known.set(source, fresh);
    return fresh;
  };
  const compile = (source: string): Expression => {
    const result = compiled(source);
    if ('expression' in result) return result.expression;
    throw new ExpressionError(result.problem, typeof source === 'string' ? source : '');
  };
  const testOne = (source: string, scope: Scope): boolean => {
    const result = compiled(source);
    return 'expression' in result && result.expression.test(scope);
  };
  return {
    compile,
    compileCondition: (source) => {
      const expression = compile(source);
      requireCondition(expression, options.schema);
      return expression;
    },
    evaluate: (source, scope) => {
      const result = compiled(source);
      return 'expression' in result ? result.expression.evaluate(scope) : false;
    },
    test: (scope, ...conditions) => conditions.every((source) => source == null || testOne(source, scope)),
  };
};

const compilers = new WeakMap<readonly string[], Compiler>();
const judged = new WeakMap<Expression, WeakMap<AdaptiveSchema, Expression>>();

/** A compiler lives as long as its list of variables does, and is bounded by itself. */
const compilerFor = (variables: readonly string[]): Compiler => {
  const compiler = compilers.get(variables) ?? createCompiler({ variables });
  compilers.set(variables, compiler);
  return compiler;
};

/** A judgement lives as long as both the expression and the schema do. */
const judge = (expression: Expression, schema: AdaptiveSchema): Expression => {
  const bySchema = judged.get(expression) ?? new WeakMap<AdaptiveSchema, Expression>();
  judged.set(expression, bySchema);
  const result = bySchema.get(schema) ?? withSchema(expression, schema);
  bySchema.set(schema, result);
  return result;
};

/**
 * Compiles an expression, or returns the one compiled before from the same source, schema and variables.
 * @param source at most 1024 UTF-16 code units; the empty source is `true`
 * @throws ExpressionError with position, when the source is not an expression of the language
 */
export const compile = (source: string, { schema, variables = VISITOR_VARIABLES }: CompileOptions = {}): Expression => {
  const expression = compilerFor(variables).compile(source);
  return schema === undefined ? expression : judge(expression, schema);
};

/**
 * Compiles a condition that is about to be stored: it must be able to yield a boolean and, with a schema, be
 * deterministic.
 * @throws ExpressionError with position
 */
export const compileCondition = (source: string, options: CompileOptions = {}): Expression => {
  const expression = compile(source, options);
  requireCondition(expression, options.schema);
  return expression;
};

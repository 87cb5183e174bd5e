import { determinismProblems } from './adaptive/determinism.js';
import { type AdaptiveSchema } from './adaptive/schema.js';
import { emit } from './emit.js';
import { type Fault, type Problem } from './error.js';
import { lower } from './lower.js';
import { type Program } from './node.js';
import { parse } from './parse.js';
import { type Reference, referencesOf } from './references.js';
import { type Evaluate, HALT, type Runtime } from './runtime.js';
import { mayBeBoolean } from './static-type.js';
import { type Scope, type Value } from './value.js';

/** What an evaluation came to. */
export type Outcome = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly fault: Fault };

/** A compiled expression: immutable, without state, to be evaluated any number of times. */
export interface Expression {
  readonly source: string;
  /** Every read of the scope, in source order. */
  readonly references: readonly Reference[];
  /** Whether the value depends on known inputs alone: boolean and enumerated claims, `visitor.type` and variables. */
  readonly deterministic: boolean;
  /** Whether a boolean can come out; text, numbers, arrays and objects are no conditions. */
  readonly mayBeBoolean: boolean;
  /** What stands against `deterministic`, with positions. */
  readonly problems: readonly Problem[];
  /** The value, or why there is none. Never throws. */
  readonly run: (scope: Scope) => Outcome;
  /** The value; `false` when there is none. */
  readonly evaluate: (scope: Scope) => Value;
  /** The value as a condition: `Boolean(value)`, and `false` with a claim that the schema does not declare. */
  readonly test: (scope: Scope) => boolean;
}

/** How sources are compiled. */
export interface CompileOptions {
  /** The claims that exist. Without it every claim is read as it is and none is known to be deterministic. */
  readonly schema?: AdaptiveSchema | undefined;
  /** The names of the scope; `VISITOR_VARIABLES` by default. */
  readonly variables?: readonly string[] | undefined;
}

/** The scope of pages, sections and site spaces: `visitor.claims`, `visitor.type`, `space.vars`, `page.vars`. */
export const VISITOR_VARIABLES: readonly string[] = Object.freeze(['visitor', 'space', 'page']);

/** The scope of merge rules. */
export const MERGE_RULE_VARIABLES: readonly string[] = Object.freeze(['space', 'changeRequest', 'reviews', 'actor']);

// An empty condition is no condition: everybody passes.
const EMPTY: Program = { root: { kind: 'literal', value: true, start: 0, end: 0 }, slots: 0 };

const foreignFault = (source: string): Fault => ({
  code: 'foreign_value',
  message: 'The scope could not be read',
  start: 0,
  end: source.length,
});

const runner =
  (source: string, evaluate: Evaluate, slots: number): Expression['run'] =>
  (scope) => {
    const runtime: Runtime = { scope, steps: 0, locals: new Array<Value>(slots), fault: undefined };
    try {
      return { ok: true, value: evaluate(runtime) };
    } catch (error) {
      // Only a scope that is no plain data (an accessor or a proxy that throws) gets here without a fault of its own.
      return { ok: false, fault: (error === HALT ? runtime.fault : undefined) ?? foreignFault(source) };
    }
  };

/** What an expression is whatever the schema. */
type Core = Pick<Expression, 'source' | 'references' | 'mayBeBoolean' | 'run' | 'evaluate'>;

/** The same expression, judged by a schema: neither parsed nor compiled again. */
export const withSchema = (
  { source, references, mayBeBoolean, run, evaluate }: Core,
  schema: AdaptiveSchema | undefined,
): Expression => {
  const problems = determinismProblems(references, schema);
  const declared = !problems.some(({ code }) => code === 'undeclared_claim');
  return Object.freeze({
    source,
    references,
    mayBeBoolean,
    run,
    evaluate,
    problems,
    deterministic: problems.length === 0,
    test: (scope: Scope) => declared && Boolean(evaluate(scope)),
  });
};

/**
 * Compiles a source without keeping it; `compile` and a compiler keep what they compile.
 * @throws ExpressionError with position, when the source is not an expression of the language
 */
export const compileExpression = (
  source: string,
  { schema, variables = VISITOR_VARIABLES }: CompileOptions = {},
): Expression => {
  const { root, slots } = source === '' ? EMPTY : lower(parse(source), source, variables);
  const run = runner(source, emit(root), slots);
  const evaluate = (scope: Scope): Value => {
    const outcome = run(scope);
    return outcome.ok ? outcome.value : false;
  };
  return withSchema(
    { source, references: referencesOf(root), mayBeBoolean: mayBeBoolean(root), run, evaluate },
    schema,
  );
};

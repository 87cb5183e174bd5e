/** Why an expression is refused before it is ever evaluated. */
export type ExpressionErrorCode =
  | 'syntax'
  | 'too_long'
  | 'too_complex'
  | 'forbidden'
  | 'unknown_variable'
  | 'not_boolean'
  | 'undeclared_claim'
  | 'dynamic_claim'
  | 'not_deterministic';

/** Why an evaluation had no value. */
export type FaultCode =
  'invalid_expression' | 'undeclared_claim' | 'no_value' | 'forbidden_name' | 'wrong_type' | 'limit' | 'foreign_value';

/** A stretch of the source: UTF-16 offsets, the end is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Something to say about a stretch of the source. */
export interface Problem extends Range {
  readonly code: ExpressionErrorCode;
  readonly message: string;
}

/** Why and where an evaluation stopped. */
export interface Fault extends Range {
  readonly code: FaultCode;
  readonly message: string;
}

const lineStarts = (source: string, offset: number): { line: number; column: number } => {
  const before = source.slice(0, offset).split(/\r\n|[\n\r\u2028\u2029]/u);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
};

/** An expression that cannot be used. `start` and `end` are offsets, `line` and `column` begin at 1. */
export class ExpressionError extends Error implements Problem {
  override readonly name = 'ExpressionError';
  readonly code: ExpressionErrorCode;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;

  constructor(problem: Problem, source: string) {
    super(problem.message);
    this.code = problem.code;
    this.start = problem.start;
    this.end = problem.end;
    const { line, column } = lineStarts(source, problem.start);
    this.line = line;
    this.column = column;
  }

  /** The problem as plain data, for an answer or a log. */
  toJSON(): Problem & { readonly line: number; readonly column: number } {
    const { code, message, start, end, line, column } = this;
    return { code, message, start, end, line, column };
  }
}

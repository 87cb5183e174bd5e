import { type Expression, parseExpressionAt, type Token, tokenizer, tokTypes, type Options } from 'acorn';
import { ExpressionError } from './error.js';
import { LIMITS } from './limits.js';

// Modules are strict and have no HTML-like comments; the version is pinned so that a parser update changes no grammar.
const OPTIONS = { ecmaVersion: 2022, sourceType: 'module', preserveParens: true } as const satisfies Options;

const OPENING: ReadonlySet<unknown> = new Set([
  tokTypes.parenL,
  tokTypes.bracketL,
  tokTypes.braceL,
  tokTypes.dollarBraceL,
]);
const CLOSING: ReadonlySet<unknown> = new Set([tokTypes.parenR, tokTypes.bracketR, tokTypes.braceR]);
// Tokens of which each makes at least one node that the parser enters recursively.
const NESTING: ReadonlySet<unknown> = new Set([
  tokTypes.prefix,
  tokTypes.plusMin,
  tokTypes.question,
  tokTypes.arrow,
  tokTypes._typeof,
]);

const tooComplex = (source: string, token: Token): ExpressionError =>
  new ExpressionError(
    { code: 'too_complex', message: 'The expression is nested too deeply', start: token.start, end: token.end },
    source,
  );

/**
 * Bounds how deep the recursive parser can go before it runs, so that no source can exhaust the stack and the answer
 * does not depend on how much stack the caller has left. Stops quietly where the source is not lexically valid: the
 * parser stops there too, with the better message.
 */
const boundNesting = (source: string): void => {
  let depth = 0;
  let nesting = 0;
  const tokens = tokenizer(source, OPTIONS)[Symbol.iterator]();
  for (;;) {
    const next = nextToken(tokens);
    if (next === undefined) return;
    if (OPENING.has(next.type)) depth++;
    else if (CLOSING.has(next.type)) depth--;
    else if (NESTING.has(next.type)) nesting++;
    if (depth > LIMITS.brackets || nesting > LIMITS.nodes) throw tooComplex(source, next);
  }
};

const nextToken = (tokens: Iterator<Token>): Token | undefined => {
  try {
    const step = tokens.next();
    return step.done === true ? undefined : step.value;
  } catch {
    return undefined;
  }
};

const positionOf = (error: unknown): number | undefined =>
  error instanceof Error && 'pos' in error && typeof error.pos === 'number' ? error.pos : undefined;

const syntaxError = (source: string, message: string, start: number): ExpressionError => {
  const end = Math.min(start + 1, source.length);
  return new ExpressionError({ code: 'syntax', message, start: Math.min(start, source.length), end }, source);
};

/** The first token after an expression: `parseExpressionAt` stops where the expression ends, whatever follows. */
const tokenAfter = (source: string, tree: Expression): Token =>
  tokenizer(' '.repeat(tree.end) + source.slice(tree.end), OPTIONS).getToken();

const parseTree = (source: string): { readonly tree: Expression; readonly next: Token } => {
  try {
    const tree = parseExpressionAt(source, 0, OPTIONS);
    return { tree, next: tokenAfter(source, tree) };
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/ \(\d+:\d+\)$/u, '') : 'Not an expression';
    throw syntaxError(source, message, positionOf(error) ?? 0);
  }
};

/**
 * Reads a source as one ECMAScript expression. Parentheses are kept as nodes.
 * @throws ExpressionError `syntax`, `too_long` or `too_complex`
 */
export const parse = (source: string): Expression => {
  if (source.length > LIMITS.sourceLength) {
    const message = `The expression has ${source.length} characters, ${LIMITS.sourceLength} are allowed`;
    throw new ExpressionError({ code: 'too_long', message, start: LIMITS.sourceLength, end: source.length }, source);
  }
  boundNesting(source);
  const { tree, next } = parseTree(source);
  if (next.type !== tokTypes.eof) throw syntaxError(source, 'Unexpected text after the expression', next.start);
  return tree;
};

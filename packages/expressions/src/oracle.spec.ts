import { describe, expect, it } from '@jest/globals';
import { parameters, runs, SEED } from '@scriptorium/toolchain/generated';
import fc from 'fast-check';
import { inspect } from 'node:util';
import { compileFunction } from 'node:vm';
import { compileExpression } from './compile.js';
import { ExpressionError } from './error.js';
import { scopes, sources } from './test/arbitraries.js';

/** Values as text: realms and prototypes differ between the two evaluations, the data must not. */
const show = (value: unknown): string => {
  if (Array.isArray(value)) return `[${Array.from(value, show).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, item]) => `${JSON.stringify(name)}: ${show(item)}`)
      .join(', ')}}`;
  }
  return inspect(value);
};

const engine = (source: string, scope: Record<string, unknown>): string => {
  const evaluate = compileFunction(`return (${source})`, ['visitor', 'space', 'page']) as (
    ...values: unknown[]
  ) => unknown;
  try {
    return show(evaluate(scope['visitor'], scope['space'], scope['page']));
  } catch {
    return 'error';
  }
};

const compiled = (source: string) => {
  try {
    return compileExpression(source);
  } catch (error) {
    if (error instanceof ExpressionError && ['too_complex', 'too_long'].includes(error.code)) return undefined;
    throw error;
  }
};

describe(`expressions mean what they mean in ECMAScript (seed ${SEED})`, () => {
  it('gives the value, or the error, that the engine gives', () => {
    let compared = 0;
    let values = 0;
    fc.assert(
      fc.property(sources, scopes, (source, scope) => {
        const expression = compiled(source);
        if (expression === undefined) return;
        compared++;
        const outcome = expression.run(scope);
        if (outcome.ok) values++;
        expect(outcome.ok ? show(outcome.value) : 'error').toBe(engine(source, scope));
      }),
      parameters(5_000),
    );
    // The generator must not wander off to sources that are refused or fail.
    expect(values / compared).toBeGreaterThan(0.3);
    expect(compared / runs(5_000)).toBeGreaterThan(0.7);
  });

  it('yields a boolean only where the static type says that it may', () => {
    fc.assert(
      fc.property(sources, scopes, (source, scope) => {
        const expression = compiled(source);
        const outcome = expression?.run(scope);
        if (outcome?.ok === true && typeof outcome.value === 'boolean') expect(expression?.mayBeBoolean).toBe(true);
      }),
      parameters(3_000),
    );
  });

  it('changes nothing in the scope and gives the same answer again', () => {
    fc.assert(
      fc.property(sources, scopes, (source, scope) => {
        const expression = compiled(source);
        const before = show(scope);
        const first = expression?.run(scope);
        expect(show(expression?.run(scope))).toBe(show(first));
        expect(show(scope)).toBe(before);
      }),
      parameters(2_000),
    );
  });
});

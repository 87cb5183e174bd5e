import { type Problem } from '../error.js';
import { type Reference } from '../references.js';
import { type AdaptiveSchema, isDeterministic, type Property } from './schema.js';

type Verdict = 'declared' | 'dynamic' | 'undeclared';

const verdictOf = (property: Property): Verdict => (isDeterministic(property) ? 'declared' : 'dynamic');

/** What a path below the claims reads: as far as the schema goes, the rest is a property of a value. */
const judgeClaim = (schema: AdaptiveSchema, path: readonly string[]): Verdict => {
  let property: Property = schema.root;
  for (const name of path) {
    if (property.type !== 'object') break;
    const child = property.properties.get(name);
    if (child === undefined) return 'undeclared';
    property = child;
  }
  return verdictOf(property);
};

const claimProblem = (reference: Reference, verdict: Verdict): Problem | undefined => {
  const { start, end, path } = reference;
  const name = path.join('.');
  if (verdict === 'undeclared') {
    return { code: 'undeclared_claim', message: `${name} is not declared in the adaptive schema`, start, end };
  }
  if (verdict === 'dynamic') {
    return {
      code: 'dynamic_claim',
      message: `${name} is not limited to known values: only boolean and enumerated claims decide visibility`,
      start,
      end,
    };
  }
  return undefined;
};

const otherProblem = ({ path, start, end }: Reference): Problem | undefined => {
  const [variable = '', property] = path;
  if ((variable === 'space' || variable === 'page') && property === 'vars') return undefined;
  if (variable === 'visitor' && property === 'type') return undefined;
  return { code: 'not_deterministic', message: `${path.join('.')} is not an input with known values`, start, end };
};

/**
 * Why a condition cannot be decided for a group of visitors beforehand: its reads of claims that may hold anything,
 * that are not declared, or of something else than claims, `visitor.type`, `space.vars` and `page.vars`.
 * Without a schema no claim is known.
 */
export const determinismProblems = (
  references: readonly Reference[],
  schema: AdaptiveSchema | undefined,
): readonly Problem[] =>
  references.flatMap((reference) => {
    const [variable, property] = reference.path;
    if (variable !== 'visitor' || (property !== 'claims' && property !== undefined))
      return otherProblem(reference) ?? [];
    if (schema === undefined) return claimProblem(reference, 'dynamic') ?? [];
    return claimProblem(reference, judgeClaim(schema, reference.path.slice(2))) ?? [];
  });

import { LIMITS } from '../limits.js';
import { type AdaptiveSchema, type ObjectProperty, type Property } from './schema.js';

/** A ready condition that an editor can offer. */
export interface TemplateCondition {
  readonly description: string;
  readonly condition: string;
}

/** At most so many conditions are generated. */
export const MAX_TEMPLATE_CONDITIONS = 200;

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/** Access to a claim by its path; below the first level the parent may be absent. */
const access = (path: readonly string[]): string =>
  path.reduce((expression, name, level) => {
    if (IDENTIFIER.test(name)) return `${expression}${level === 0 ? '.' : '?.'}${name}`;
    return `${expression}${level === 0 ? '' : '?.'}[${JSON.stringify(name)}]`;
  }, 'visitor.claims');

const values = (property: Property): readonly string[] | undefined =>
  property.type === 'string' ? property.enum : undefined;

const ofLeaf = (path: readonly string[], property: Exclude<Property, ObjectProperty>): readonly TemplateCondition[] => {
  const claim = access(path);
  const description = property.description ?? path.join('.');
  if (property.type === 'boolean') {
    return [
      { description, condition: `${claim} == true` },
      { description: `Not: ${description}`, condition: `!${claim}` },
    ];
  }
  if (property.type === 'array') {
    return (values(property.items) ?? []).map((value) => ({
      description: `${description} includes ${value}`,
      condition: `${claim}.includes(${JSON.stringify(value)})`,
    }));
  }
  return (values(property) ?? []).map((value) => ({
    description: `${description} is ${value}`,
    condition: `${claim} == ${JSON.stringify(value)}`,
  }));
};

const ofProperty = (path: readonly string[], property: Property): readonly TemplateCondition[] =>
  property.type === 'object'
    ? [...property.properties].flatMap(([name, child]) => ofProperty([...path, name], child))
    : ofLeaf(path, property);

/**
 * Conditions on every deterministic claim of a schema, in its order, at most 200: two for a boolean, one for each
 * value of an enumerated text or set. None for claims that may hold anything, and none that would be too long.
 */
export const templateConditions = ({ root }: AdaptiveSchema): readonly TemplateCondition[] =>
  ofProperty([], root)
    .filter(({ condition }) => condition.length <= LIMITS.sourceLength)
    .slice(0, MAX_TEMPLATE_CONDITIONS);

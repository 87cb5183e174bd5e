import { type Value } from '../value.js';
import { type Claims, filterClaims } from './filter-claims.js';
import {
  type AdaptiveSchema,
  isDeterministic,
  type ItemProperty,
  type ObjectProperty,
  type Property,
} from './schema.js';

/** Who reads: a person or a program. */
export const VISITOR_TYPES = ['human', 'agent'] as const;
export type VisitorType = (typeof VISITOR_TYPES)[number];

/** What visibility conditions can tell apart in a visitor. */
export interface VisitorContext {
  readonly type: VisitorType;
  /** Deterministic claims alone. */
  readonly claims: Claims;
}

/** The part of a schema that visibility conditions can read; objects stay even when nothing of them does. */
const deterministicPart = ({ type, properties }: ObjectProperty): ObjectProperty => ({
  type,
  properties: new Map(
    [...properties].flatMap(([name, property]): [string, Property][] => {
      if (property.type === 'object') return [[name, deterministicPart(property)]];
      return isDeterministic(property) ? [[name, property]] : [];
    }),
  ),
});

/**
 * The key of a visitor's context: equal for two visitors exactly when no deterministic condition on this schema can
 * tell them apart. Plain JSON, to be hashed where it must be short or must not show claims.
 */
export const contextKey = (
  schema: AdaptiveSchema,
  visitor: { readonly type?: VisitorType | undefined; readonly claims: unknown },
): string =>
  JSON.stringify([visitor.type ?? null, filterClaims({ root: deterministicPart(schema.root) }, visitor.claims)]);

const countItem = (item: ItemProperty): number => (item.type === 'string' ? 2 ** (item.enum?.length ?? 0) : 1);

/** No caller gets more contexts than this at once, whatever bound it names. */
export const MAX_CONTEXTS = 100_000;

/** How many values a property has, being absent included. Infinite when beyond a double, which is beyond any bound. */
const countProperty = (property: Property): number => {
  switch (property.type) {
    case 'boolean':
      return 3;
    case 'string':
      return 1 + (property.enum?.length ?? 0);
    case 'array':
      return 1 + countItem(property.items);
    case 'object':
      return 1 + countObject(property);
    case 'number':
      return 1;
  }
};

const countObject = ({ properties }: ObjectProperty): number =>
  [...properties.values()].reduce((product, property) => product * countProperty(property), 1);

/** All subsets, in the order of the values. */
const subsets = (values: readonly string[]): readonly (readonly string[])[] =>
  values.reduceRight<readonly (readonly string[])[]>(
    (rest, value) => [...rest, ...rest.map((subset) => [value, ...subset])],
    [[]],
  );

const valuesOf = (property: Property): readonly Value[] => {
  switch (property.type) {
    case 'boolean':
      return [undefined, true, false];
    case 'string':
      return [undefined, ...(property.enum ?? [])];
    case 'array':
      return [undefined, ...subsets(property.items.type === 'string' ? (property.items.enum ?? []) : [])];
    case 'object':
      return [undefined, ...objectsOf(property)];
    case 'number':
      return [undefined];
  }
};

const objectsOf = ({ properties }: ObjectProperty): readonly Claims[] =>
  [...properties].reduce<readonly Claims[]>(
    (objects, [name, property]) => {
      const values = valuesOf(property);
      return objects.flatMap((object) =>
        values.map((value) => (value === undefined ? object : { ...object, [name]: value })),
      );
    },
    [{}],
  );

/**
 * Every context that visitors of this schema can have, each with its key, or undefined when there are more than
 * `max`: then only contexts of real visitors can be prepared. Filtered claims of any visitor have one of these keys.
 * @param max bound on the number of contexts, 1024 by default and `MAX_CONTEXTS` at most
 */
export const enumerateContexts = (
  schema: AdaptiveSchema,
  max = 1024,
): readonly (VisitorContext & { readonly key: string })[] | undefined => {
  const root = deterministicPart(schema.root);
  if (VISITOR_TYPES.length * countObject(root) > Math.min(max, MAX_CONTEXTS)) return undefined;
  const contexts = new Map<string, VisitorContext & { readonly key: string }>();
  for (const type of VISITOR_TYPES) {
    for (const object of objectsOf(root)) {
      const claims = filterClaims({ root }, object);
      const key = contextKey(schema, { type, claims });
      contexts.set(key, { type, claims, key });
    }
  }
  return [...contexts.values()];
};

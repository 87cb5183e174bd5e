import { embedAnnotation } from '../kernel/embed.js';
import { componentName, type Components, type Json } from './components.js';

/**
 * Makes the objects of which a union chooses one components of their own, so that generators of clients need not name
 * them by their places: the name of the union, with the value by which an object is told from the others.
 */
export function nameArms({ schemas }: Pick<Components, 'schemas'>): void {
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = named(schema, { name, schemas, isTop: true });
}

interface At {
  /** What the schema here would be called. */
  name: string;
  schemas: Components['schemas'];
  /** It has that name already. */
  isTop?: boolean;
}

function named(node: Json, at: At): Json {
  // A resource or a reference to it has two names already.
  if (at.isTop && embedAnnotation in node) return node;
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, partOf(key, value, at)]));
}

function partOf(key: string, value: unknown, at: At): unknown {
  if (key === 'oneOf' || key === 'anyOf') return unionOf(value as Json[], at);
  const { isTop: _, name, schemas } = at;
  if (key === 'properties')
    return Object.fromEntries(
      Object.entries(value as Record<string, Json>).map(([property, schema]) => [
        property,
        named(schema, { name: name + componentName(property), schemas }),
      ]),
    );
  const isSchema = key === 'items' || key === 'additionalProperties';
  return isSchema && typeof value === 'object' ? named(value as Json, { name: `${name}Item`, schemas }) : value;
}

function unionOf(arms: readonly Json[], { name, schemas, isTop = false }: At): Json[] {
  const objects = arms.filter(isObject);
  const [only, another] = objects;
  const labels = only !== undefined && another === undefined && !isTop ? new Map([[only, '']]) : labelsOf(objects);
  return arms.map((arm) => {
    const label = labels.get(arm);
    const own = label === undefined ? undefined : name + label;
    const made = named(arm, { name: own ?? name, schemas });
    if (own === undefined || !isFree(schemas, own, made)) return made;
    schemas[own] = made;
    return { $ref: `#/components/schemas/${own}` };
  });
}

function isFree(schemas: Components['schemas'], name: string, schema: Json): boolean {
  return !Object.hasOwn(schemas, name) || JSON.stringify(schemas[name]) === JSON.stringify(schema);
}

function isObject({ type, properties }: Json): boolean {
  return type === 'object' && properties !== undefined;
}

/**
 * What tells objects from each other: their values of one property, else a property that only one needs. One of them
 * may have nothing of that, and is the other one.
 */
function labelsOf(objects: readonly Json[]): Map<Json, string> {
  const names = new Set(objects.flatMap((object) => [...constantsOf(object).keys()]));
  const ways = [...names].map((property) => objects.map((object) => constantsOf(object).get(property)));
  const needed = objects.map((object) => neededBy(object, objects)).map((property) => property && `with ${property}`);
  const found = [...ways, needed].find((values) => new Set(values).size === objects.length) ?? [];
  return new Map(objects.flatMap((one, n) => (n < found.length ? [[one, componentName(found[n] ?? 'other')]] : [])));
}

function neededBy(object: Json, objects: readonly Json[]): string | undefined {
  if (objects.length === 1) return undefined;
  return requiredOf(object).find((one) => objects.filter((other) => requiredOf(other).includes(one)).length === 1);
}

/** The properties of an object that always have one value. */
function constantsOf(object: Json | undefined): Map<string, string> {
  const properties = Object.entries((object?.['properties'] ?? {}) as Record<string, Json>);
  return new Map(properties.flatMap(([name, value]) => ('const' in value ? [[name, String(value['const'])]] : [])));
}

function requiredOf({ required = [] }: Json): string[] {
  return required as string[];
}

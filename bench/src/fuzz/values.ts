import * as fc from 'fast-check';

export type Schema = Record<string, unknown>;

/** Finds what a reference in a schema refers to. */
export type Resolve = (reference: string) => Schema;

const idPattern = '^[a-zA-Z0-9_-]+$';
const deepest = 4;
const longestText = 40;

/** Stands for an id that exists when the request is sent: the `n`th of those known by `name`. */
export function knownId(name: string, n: number): string {
  return `@known:${name}:${n}@`;
}

/** Puts ids in the places that are held for them. */
export function withKnownIds(text: string, find: (name: string, n: number) => string): string {
  return text.replace(/@known:(\w*):(\d+)@/g, (_all, name: string, n: string) => find(name, Number(n)));
}

/** Ids that exist, by the name under which paths have them. */
export function knownIds(name: string): fc.Arbitrary<string> {
  return fc.nat(1_000).map((n) => knownId(name, n));
}

/**
 * Values that a schema describes, as far as it can be told without trying. `name`: that of the property they are for.
 */
export function fitting(schema: Schema, resolve: Resolve, name = '', depth = 0): fc.Arbitrary<unknown> {
  const { $ref, anyOf, oneOf, enum: words, const: only } = schema;
  if (typeof $ref === 'string') return fitting(resolve($ref), resolve, name, depth);
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(words)) return fc.constantFrom(...(words as unknown[]));
  const branches = (anyOf ?? oneOf) as Schema[] | undefined;
  if (branches !== undefined) return fc.oneof(...branches.map((branch) => fitting(branch, resolve, name, depth)));
  return ofType(schema, resolve, name, depth);
}

function ofType(schema: Schema, resolve: Resolve, name: string, depth: number): fc.Arbitrary<unknown> {
  switch (schema['type']) {
    case 'string':
      return texts(schema, name);
    case 'integer':
      return fc.integer({
        min: numberOf(schema['minimum'], -1_000),
        max: Math.min(numberOf(schema['maximum'], 1_000), 1_000_000),
      });
    case 'number':
      return fc.double({ noNaN: true, min: numberOf(schema['minimum'], -1e6), max: numberOf(schema['maximum'], 1e6) });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const least = numberOf(schema['minItems'], 0);
      const items = fitting((schema['items'] ?? {}) as Schema, resolve, name, depth + 1);
      return fc.array(items, {
        minLength: least,
        maxLength: Math.max(least, Math.min(numberOf(schema['maxItems'], 5), 5)),
      });
    }
    case 'object':
      return objects(schema, resolve, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objects(schema: Schema, resolve: Resolve, depth: number): fc.Arbitrary<object> {
  const {
    properties = {},
    required = [],
    additionalProperties,
    propertyNames,
  } = schema as {
    properties?: Record<string, Schema>;
    required?: string[];
    additionalProperties?: Schema;
    propertyNames?: Schema;
  };
  // What may not be there has a schema that fits nothing.
  const kept = Object.entries(properties).filter(
    ([name, each]) => !('not' in each) && (depth < deepest || required.includes(name)),
  );
  const own = fc.record(
    Object.fromEntries(kept.map(([name, each]) => [name, fitting(each, resolve, name, depth + 1)])),
    { requiredKeys: required.filter((name) => name in properties) },
  );
  if (additionalProperties === undefined || typeof additionalProperties !== 'object') return own;
  const keys = fitting(propertyNames ?? { type: 'string' }, resolve, 'userId', depth + 1) as fc.Arbitrary<string>;
  return fc.dictionary(keys, fitting(additionalProperties, resolve, '', depth + 1), { maxKeys: 4 });
}

function texts(schema: Schema, name: string): fc.Arbitrary<string> {
  const { pattern, format } = schema as { pattern?: string; format?: string };
  const [least, most] = [numberOf(schema['minLength'], 0), numberOf(schema['maxLength'], longestText)];
  if (pattern === idPattern)
    return fc.oneof(
      { weight: 5, arbitrary: knownIds(idName(name)) },
      { weight: 1, arbitrary: fc.stringMatching(/^[a-zA-Z0-9_-]{1,30}$/) },
    );
  if (format === 'email')
    return fc.oneof(
      fc.nat(40).map((n) => `person-${n}@example.org`),
      knownIds('email'),
    );
  if (name === 'password' || name === 'current') return knownIds('password');
  if (format === 'uri') return fc.webUrl();
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date('1990-01-01'), max: new Date('2090-01-01') })
      .map((date) => date.toISOString());
  if (pattern !== undefined) return matching(pattern).filter((text) => text.length >= least && text.length <= most);
  const shape = { minLength: least, maxLength: Math.max(least, Math.min(most, longestText)) };
  return fc.oneof(fc.string(shape), fc.string({ ...shape, unit: 'grapheme' }));
}

const lookahead = /\(\?[=!](?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;

/** Texts of a pattern. fast-check cannot write lookaheads: without them, what they refuse is drawn again. */
export function matching(pattern: string): fc.Arbitrary<string> {
  const whole = new RegExp(pattern);
  return fc.stringMatching(new RegExp(pattern.replace(lookahead, ''))).filter((text) => whole.test(text));
}

/** `members`, `userIds` and the like hold users. */
function idName(name: string): string {
  if (/^(members?|users?|add|remove|userIds)$/.test(name)) return 'userId';
  return /team/i.test(name) ? 'teamId' : name;
}

const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\nb',
  '\ud800',
  '\u202eabc',
  '💩'.repeat(20),
  '__proto__',
  'constructor',
  '../..',
  '<script>',
  "' OR 1=1",
  '$where',
  'x'.repeat(3_000),
  '0',
  'null',
  '\ufeff',
  'ﬃ',
  'İ',
];
const hostileNumbers = [0, -1, 0.5, 1e308, Number.MAX_SAFE_INTEGER, 2 ** 53, -0, 1e-7];
const hostileKeys: readonly object[] = [
  JSON.parse('{"__proto__":{"a":1}}') as object,
  { constructor: { prototype: 1 } },
  { toString: 1 },
  { '': 1 },
  { 'a.b': 1 },
  { $set: { a: 1 } },
];

/** Any value that JSON can have, hostile ones often. */
export function anyValue(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.constantFrom<unknown>(...hostileTexts),
    fc.constantFrom<unknown>(...hostileNumbers),
    fc.constantFrom<unknown>(...hostileKeys),
    fc.jsonValue({ maxDepth: 3 }),
  );
}

/** Values that a schema nearly describes: right but for one thing, of bounds just passed, of another kind. */
export function nearly(schema: Schema, resolve: Resolve, name = '', depth = 0): fc.Arbitrary<unknown> {
  const { $ref, anyOf, oneOf } = schema;
  if (typeof $ref === 'string') return nearly(resolve($ref), resolve, name, depth);
  const branches = (anyOf ?? oneOf) as Schema[] | undefined;
  if (branches !== undefined)
    return fc.oneof(...branches.map((branch) => nearly(branch, resolve, name, depth)), anyValue());
  if (depth > deepest) return anyValue();
  switch (schema['type']) {
    case 'string':
      return fc.oneof(...lengths(schema), fc.constantFrom(...hostileTexts), anyValue());
    case 'integer':
    case 'number':
      return fc.constantFrom<unknown>(
        numberOf(schema['minimum'], 0) - 1,
        numberOf(schema['maximum'], 0) + 1,
        ...hostileNumbers,
        '5',
        '1e3',
      );
    case 'array':
      return nearlyArrays(schema, resolve, name, depth);
    case 'object':
      return nearlyObjects(schema, resolve, depth);
    default:
      return anyValue();
  }
}

function lengths({ minLength, maxLength }: Schema): fc.Arbitrary<string>[] {
  const around = [
    numberOf(minLength, 1) - 1,
    numberOf(minLength, 1),
    numberOf(maxLength, 64),
    numberOf(maxLength, 64) + 1,
  ];
  return around.filter((length) => length >= 0 && length < 5_000).map((length) => fc.constant('x'.repeat(length)));
}

function nearlyArrays(schema: Schema, resolve: Resolve, name: string, depth: number): fc.Arbitrary<unknown> {
  const items = (schema['items'] ?? {}) as Schema;
  const most = numberOf(schema['maxItems'], 20);
  return fc.oneof(
    fc.array(nearly(items, resolve, name, depth + 1), { minLength: 1, maxLength: 4 }),
    fitting(items, resolve, name, depth + 1).map((item) =>
      Array.from({ length: Math.min(most, 1_000) + 1 }, () => item),
    ),
    fitting(items, resolve, name, depth + 1).map((item) => [item, item]),
    anyValue(),
  );
}

function nearlyObjects(schema: Schema, resolve: Resolve, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const right = objects(schema, resolve, depth);
  if (properties.length === 0)
    return fc.oneof(
      anyValue(),
      fc.tuple(right, fc.constantFrom(...hostileKeys)).map(([own, more]) => ({ ...own, ...more })),
    );
  const oneWrong = fc
    .constantFrom(...properties)
    .chain(([name, each]) =>
      fc.tuple(right, nearly(each, resolve, name, depth + 1)).map(([own, value]) => ({ ...own, [name]: value })),
    );
  const oneMissing = fc
    .tuple(right, fc.constantFrom(...properties))
    .map(([own, [name]]) => Object.fromEntries(Object.entries(own).filter(([key]) => key !== name)));
  const oneMore = fc
    .tuple(right, fc.constantFrom(...hostileKeys))
    .map(([own, more]) =>
      Object.defineProperties<object>(
        {},
        { ...Object.getOwnPropertyDescriptors(own), ...Object.getOwnPropertyDescriptors(more) },
      ),
    );
  return fc.oneof(
    { weight: 6, arbitrary: oneWrong },
    { weight: 2, arbitrary: oneMissing },
    { weight: 1, arbitrary: oneMore },
    { weight: 1, arbitrary: anyValue() },
  );
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : otherwise;
}

import fc from 'fast-check';

const NAMES = ['plan', 'beta', 'groups', 'org', 'a', 'x y', 'length'] as const;
const TEXTS = ['', 'pro', 'Pro ', ' a', '1', '0', 'null', 'é', '😀', 'a,b', '-2.5', 'true'] as const;

/** A scalar of JSON, chosen so that equalities and conversions happen. */
const scalar = fc.oneof(
  fc.constantFrom<string | number | boolean | null>(...TEXTS, 0, 1, -1, 2.5, 12, true, false, null),
);

/** A JSON value of a few levels, with the names that generated expressions read. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 3, arbitrary: scalar },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
    { weight: 2, arbitrary: fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 5 }) },
  ),
}));

/** A scope with claims and variables of any JSON type; through text, as a scope that was parsed. */
export const scopes = fc
  .record({
    visitor: fc.record({
      claims: fc.dictionary(fc.constantFrom(...NAMES), value),
      type: fc.constantFrom('human', 'agent'),
    }),
    space: fc.record({ vars: fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(...TEXTS)) }),
    page: fc.record({ vars: fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(...TEXTS)) }),
  })
  .map((scope) => JSON.parse(JSON.stringify(scope)) as Record<string, unknown>);

const literal = fc.oneof(
  fc.constantFrom(...TEXTS).map((text) => JSON.stringify(text)),
  fc.constantFrom('0', '1', '2.5', '1e3', '0x1f', 'true', 'false', 'null', 'undefined'),
);
const root = fc.constantFrom(
  'visitor',
  'visitor.claims',
  'space.vars',
  'page.vars',
  'visitor.claims.groups',
  'visitor.claims.plan',
);
const accessor = fc.constantFrom(
  '.plan',
  '.beta',
  '.groups',
  '.org',
  '.length',
  '?.plan',
  '?.org',
  '["x y"]',
  '?.["plan"]',
  '[0]',
  '?.[1]',
  '[-1]',
  '["0"]',
);
const binary = fc.constantFrom(
  '==',
  '!=',
  '===',
  '!==',
  '<',
  '<=',
  '>',
  '>=',
  '+',
  '-',
  '*',
  '/',
  '%',
  '&&',
  '||',
  '??',
);
const unary = fc.constantFrom('!', '-', '+', 'typeof ');

type Grammar = { expression: string; call: string; callback: string };

/** Sources of the language, every operator in parentheses so that operands of any kind fit. */
export const sources = fc.letrec<Grammar>((tie) => {
  const expression = tie('expression');
  const accessed = fc.tuple(expression, fc.array(accessor, { minLength: 1, maxLength: 3 }));
  return {
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      { weight: 3, arbitrary: literal },
      {
        weight: 3,
        arbitrary: fc.tuple(root, fc.array(accessor, { maxLength: 3 })).map(([start, rest]) => start + rest.join('')),
      },
      { weight: 1, arbitrary: accessed.map(([object, rest]) => `(${object})${rest.join('')}`) },
      {
        weight: 4,
        arbitrary: fc
          .tuple(expression, binary, expression)
          .map(([left, operator, right]) => `((${left}) ${operator} (${right}))`),
      },
      { weight: 2, arbitrary: fc.tuple(unary, expression).map(([operator, operand]) => `${operator}(${operand})`) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(expression, expression, expression)
          .map(([test, yes, no]) => `((${test}) ? (${yes}) : (${no}))`),
      },
      { weight: 1, arbitrary: fc.array(expression, { maxLength: 3 }).map((items) => `[${items.join(', ')}]`) },
      {
        weight: 1,
        arbitrary: fc
          .array(fc.tuple(fc.constantFrom(...NAMES), expression), { maxLength: 3 })
          .map((entries) => `({${entries.map(([name, item]) => `${JSON.stringify(name)}: ${item}`).join(', ')}})`),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(expression, expression).map(([first, second]) => `\`a\${${first}}b\${${second}}\``),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom(...NAMES), fc.constantFrom('visitor', 'visitor.claims', 'page.vars'))
          .map(([name, object]) => `(${JSON.stringify(name)} in ${object})`),
      },
      { weight: 4, arbitrary: tie('call') },
    ),
    call: fc.oneof(
      fc
        .tuple(expression, fc.constantFrom('.', '?.'), fc.constantFrom('trim', 'toLowerCase', 'toUpperCase', 'join'))
        .map(([receiver, dot, method]) => `(${receiver})${dot}${method}()`),
      fc
        .tuple(expression, fc.constantFrom('startsWith', 'endsWith', 'includes'), expression, fc.option(expression))
        .map(
          ([receiver, method, wanted, position]) =>
            `(${receiver}).${method}(${wanted}${position === null ? '' : `, ${position}`})`,
        ),
      fc
        .tuple(expression, fc.constantFrom('at', 'join'), expression)
        .map(([receiver, method, argument]) => `(${receiver}).${method}(${argument})`),
      fc
        .tuple(expression, fc.constantFrom('some', 'every', 'map', 'filter', 'find'), tie('callback'))
        .map(([receiver, method, callback]) => `(${receiver}).${method}(${callback})`),
    ),
    callback: fc.oneof(
      expression.map((body) => `() => (${body})`),
      fc.tuple(binary, expression).map(([operator, other]) => `item => ((item) ${operator} (${other}))`),
      fc
        .tuple(binary, expression)
        .map(([operator, other]) => `(item, index, all) => ((index) ${operator} (${other})) || all.includes(item)`),
      accessor.map((rest) => `item => item${rest}`),
    ),
  };
}).expression;

/** JSON as people would not write it: any keys, deep, with the names that prototypes carry. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(
    fc.constantFrom(
      'type',
      'properties',
      'additionalProperties',
      'enum',
      'items',
      'description',
      '__proto__',
      'constructor',
      'unsigned',
      'toString',
      'plan',
    ),
    fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom('object', 'boolean', 'string', 'number', 'array', true, false, null),
    ),
  ),
);

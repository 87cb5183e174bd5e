// How fast expressions are: `npm run bench -w packages/expressions`. Each figure is the median of five runs.
import {
  compile,
  compileCondition,
  createCompiler,
  enumerateContexts,
  filterClaims,
  parseAdaptiveSchema,
} from '../dist/index.js';

const RUNS = 5;
const SECONDS = 0.3;

const SLICE_MS = 10;

const timeOf = (call, calls) => {
  const start = performance.now();
  for (let done = 0; done < calls; done++) call();
  return performance.now() - start;
};

/** How many calls fill a slice of time; finding out warms the call up. */
const callsPerSlice = (call) => {
  let calls = 1;
  for (let round = 0; round < 30 && timeOf(call, calls) < SLICE_MS; round++) calls *= 2;
  return calls;
};

/** Calls per second of `call`, the median of several runs. */
const rate = (call) => {
  callsPerSlice(call);
  const slice = callsPerSlice(call);
  const rates = [];
  for (let run = 0; run < RUNS; run++) {
    let calls = 0;
    let elapsed = 0;
    while (elapsed < SECONDS * 1000) {
      elapsed += timeOf(call, slice);
      calls += slice;
    }
    rates.push((calls * 1000) / elapsed);
  }
  return rates.sort((left, right) => left - right)[Math.floor(RUNS / 2)];
};

const report = (name, value, goal) => {
  const verdict =
    goal === undefined
      ? ''
      : value >= goal
        ? `  goal ${goal.toLocaleString('en')}: met`
        : `  goal ${goal.toLocaleString('en')}: MISSED`;
  console.log(`${name.padEnd(58)}${Math.round(value).toLocaleString('en').padStart(14)} /s${verdict}`);
  if (goal !== undefined && value < goal) process.exitCode = 1;
};

const parsed = parseAdaptiveSchema({
  type: 'object',
  additionalProperties: false,
  properties: {
    plan: { type: 'string', enum: ['free', 'pro', 'team'] },
    beta: { type: 'boolean' },
    groups: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } },
    unsigned: { type: 'object', properties: { dark: { type: 'boolean' } }, additionalProperties: false },
  },
});
if (!parsed.ok) throw new Error('The schema of the benchmark is not valid');
const { schema } = parsed;

const claims = { plan: 'pro', beta: true, groups: ['a', 'c'], unsigned: { dark: true }, other: 1 };
const scope = { visitor: { type: 'human', claims }, space: { vars: { version: '2' } }, page: { vars: {} } };
const source = 'visitor.claims.plan == "pro" && visitor.claims.beta';

const condition = compile(source);
const missing = compile('visitor.claims.org.plan == "pro"');
const callback = compile('visitor.claims.groups.some(group => group == "c")');
report(
  `evaluate  ${source}`,
  rate(() => condition.evaluate(scope)),
  1_000_000,
);
report(
  'evaluate  an error: property of an absent claim',
  rate(() => missing.evaluate(scope)),
);
report(
  'evaluate  groups.some(group => ...)',
  rate(() => callback.evaluate(scope)),
);

const compiler = createCompiler({ schema });
report(
  'test      cached source, schema',
  rate(() => compiler.test(scope, source)),
);
report(
  'compile   cached source',
  rate(() => compile(source)),
);
let number = 0;
report(
  'compile   new source with schema check',
  rate(() => compileCondition(`${source} && ${number++} == 0`, { schema })),
);
report(
  'filterClaims',
  rate(() => filterClaims(schema, claims)),
);
report(
  'enumerateContexts',
  rate(() => enumerateContexts(schema)),
);

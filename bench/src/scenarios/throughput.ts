import { interleaved } from '../load/interleave.js';
import { runLoad } from '../load/load.js';
import type { LoadRequest, LoadResult } from '../load/model.js';
import type { Seed } from '../product/seed.js';
import { getTeams, listMembers, renameTeams } from './requests.js';
import type { Context, Figure, Scenario } from './scenario.js';

interface Line {
  name: string;
  summary: string;
  /** Least ratio to the reference chain. */
  goal: number;
  /** Whether each connection sends a request of its own. */
  perConnection: boolean;
  requests: (seed: Seed, run: string) => LoadRequest[];
}

const lines: readonly Line[] = [
  { name: 'get-team', summary: 'GET one team', goal: 1, perConnection: false, requests: getTeams },
  { name: 'list-members', summary: 'GET a list of 50 members', goal: 0.5, perConnection: false, requests: listMembers },
  {
    name: 'patch-team',
    summary: 'PATCH a team: durable, and read by its writer',
    goal: 0.33,
    perConnection: true,
    requests: renameTeams,
  },
];

/** Saturated throughput as ratios to the reference chain in the same run. */
export const throughput: readonly Scenario[] = lines.map((line) => ({
  name: line.name,
  summary: line.summary,
  run: (context) => measure(context, line),
}));

async function measure(context: Context, line: Line): Promise<Figure[]> {
  const { options, say } = context;
  const reference = await context.reference();
  const { product, seed } = await context.product();
  const results: LoadResult[] = [];
  const load = { connections: options.connections, seconds: options.seconds };
  const ownRun = async () => {
    const { endpoint, token } = product;
    const requests = line.requests(seed, `r${results.length} ${Date.now()}`);
    const result = await runLoad({ ...load, endpoint, token, requests, perConnection: line.perConnection });
    results.push(result);
    say(
      `${line.name}: ${Math.round(result.rate)} requests/s, p99 ${result.p99Ms.toFixed(1)} ms, ${result.failures} failed`,
    );
    return result.rate;
  };
  const referenceRun = async () => {
    const result = await runLoad({
      ...load,
      endpoint: reference.endpoint,
      requests: getTeams(seed),
      perConnection: false,
    });
    say(`reference: ${Math.round(result.rate)} requests/s, ${result.failures} failed`);
    return result.rate;
  };
  await runLoad({
    ...load,
    seconds: 2,
    endpoint: product.endpoint,
    token: product.token,
    requests: line.requests(seed, 'warm'),
    perConnection: line.perConnection,
  });
  const rates = await interleaved(options.rounds, { reference: referenceRun, product: ownRun });
  await context.profiler?.during(product, line.name, ownRun);
  return figures(line, rates, results, reference.official);
}

function figures(
  line: Line,
  rates: { reference: number; product: number },
  results: readonly LoadResult[],
  official: boolean,
): Figure[] {
  const ratio = rates.product / rates.reference;
  const failures = results.reduce((sum, result) => sum + result.failures, 0);
  return [
    {
      scenario: line.name,
      what: 'of the reference chain',
      value: ratio,
      unit: 'x',
      goal: `>= ${line.goal}`,
      ...(official ? { met: ratio >= line.goal } : { note: 'no nats-server: no verdict' }),
    },
    {
      scenario: line.name,
      what: 'product',
      value: rates.product,
      unit: 'requests/s',
      ...(failures === 0 ? {} : { note: `${failures} failed` }),
    },
    { scenario: line.name, what: 'reference', value: rates.reference, unit: 'requests/s' },
  ];
}

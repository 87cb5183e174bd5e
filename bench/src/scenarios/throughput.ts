import { interleaved } from '../load/interleave.js';
import { runLoad } from '../load/load.js';
import { measuredLoad, warmUp, type MeasuredLoad } from '../load/measured.js';
import type { LoadRequest } from '../load/model.js';
import { median } from '../load/statistics.js';
import type { Seed } from '../product/seed.js';
import { createTeams, getTeams, listMembers, renameTeams } from './requests.js';
import type { Context, Figure, Scenario } from './scenario.js';

interface Line {
  name: string;
  summary: string;
  /** Least ratio to the reference chain. */
  goal: number;
  /** Most CPU of all processes for one request, in ms. */
  cpuGoal?: number;
  /** Whether each connection sends a request of its own. */
  perConnection: boolean;
  requests: (seed: Seed, run: string) => LoadRequest[];
}

const lines: readonly Line[] = [
  { name: 'get-team', summary: 'GET one team', goal: 1, perConnection: false, requests: getTeams },
  { name: 'list-members', summary: 'GET a list of 50 members', goal: 0.6, perConnection: false, requests: listMembers },
  {
    name: 'patch-team',
    summary: 'PATCH a team: durable, and read by its writer',
    goal: 0.28,
    cpuGoal: 1.5,
    perConnection: true,
    requests: renameTeams,
  },
  {
    name: 'create-team',
    summary: 'Create a team: durable, and read by its writer',
    goal: 0.25,
    cpuGoal: 1.7,
    perConnection: false,
    requests: createTeams,
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
  const results: MeasuredLoad[] = [];
  const load = { connections: options.connections, seconds: options.seconds };
  const own = (run: string) => ({
    ...load,
    requests: line.requests(seed, `${run} ${Date.now()}`),
    perConnection: line.perConnection,
  });
  const ownRun = async () => {
    const result = await measuredLoad(product, own(`r${results.length}`));
    results.push(result);
    const { rate, p99Ms, cpuMs, cpu, failures } = result;
    const parts = Object.entries(cpu ?? {}).map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
    const cost = parts.length === 0 ? '' : `, ${cpuMs.toFixed(2)} ms CPU each (${parts.join(', ')})`;
    say(`${line.name}: ${Math.round(rate)} requests/s, p99 ${p99Ms.toFixed(1)} ms${cost}, ${failures} failed`);
    return rate;
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
  await warmUp(product, own('warm'));
  const rates = await interleaved(options.rounds, { reference: referenceRun, product: ownRun });
  await context.profiler?.during(product, line.name, ownRun);
  return figures(line, rates, results, reference.official);
}

function figures(
  line: Line,
  rates: { reference: number; product: number },
  results: readonly MeasuredLoad[],
  official: boolean,
): Figure[] {
  const ratio = rates.product / rates.reference;
  const failures = results.reduce((sum, result) => sum + result.failures, 0);
  const cpuMs = median(results.map((result) => result.cpuMs));
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
    {
      scenario: line.name,
      what: 'CPU of all processes for a request',
      value: cpuMs,
      unit: 'ms',
      ...(line.cpuGoal === undefined ? {} : { goal: `<= ${line.cpuGoal}`, met: cpuMs <= line.cpuGoal }),
    },
    { scenario: line.name, what: 'reference', value: rates.reference, unit: 'requests/s' },
  ];
}

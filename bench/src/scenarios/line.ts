import { interleaved } from '../load/interleave.js';
import { runLoad } from '../load/load.js';
import { measuredLoad, warmUp, type MeasuredLoad } from '../load/measured.js';
import type { LoadRequest } from '../load/model.js';
import { sendOnce } from '../load/one-at-a-time.js';
import { median } from '../load/statistics.js';
import type { Product } from '../product/product.js';
import type { Seed } from '../product/seed.js';
import { getTeams } from './requests.js';
import type { Context, Figure, Scenario } from './scenario.js';

/** Makes the requests of a run; `run` keeps what one run writes apart from what others do. */
export type MakeRequests = (run: string) => LoadRequest[];

/** Saturated throughput of one kind of request, as a ratio to the reference chain in the same run. */
export interface Line {
  name: string;
  summary: string;
  /** Least ratio to the reference chain. */
  goal: number;
  /** Least rate in requests a second, where there is one. */
  rateGoal?: number;
  /** Most CPU of all processes for one request, in ms. */
  cpuGoal?: number;
  /** Whether each connection sends a request of its own. */
  perConnection: boolean;
  /** Whether the reference chain answers with as many bytes as the product does; otherwise with one team. */
  sameSize?: boolean;
  /** Creates what the requests need. */
  prepare: (seed: Seed) => Promise<MakeRequests> | MakeRequests;
}

export function throughputScenario(line: Line): Scenario {
  return { name: line.name, summary: line.summary, run: (context) => measure(context, line) };
}

async function measure(context: Context, line: Line): Promise<Figure[]> {
  const { options, say } = context;
  const reference = await context.reference();
  const { product, seed } = await context.product();
  const requests = await line.prepare(seed);
  const referenceRequests = line.sameSize === true ? await bodiesLike(product, requests('size')) : getTeams(seed);
  const results: MeasuredLoad[] = [];
  const load = { connections: options.connections, seconds: options.seconds };
  const own = (run: string) => ({
    ...load,
    requests: requests(`${run} ${Date.now()}`),
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
      requests: referenceRequests,
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

/** Requests of the reference chain whose answers have the size of the product's answer to the first of these. */
async function bodiesLike(product: Product, [first]: readonly LoadRequest[]): Promise<LoadRequest[]> {
  if (first === undefined) throw new Error('a line without requests has no answer to be like');
  const { ok, status, body } = await sendOnce(product, first);
  if (!ok) throw new Error(`${first.method} ${first.path} answered ${status}: ${body.toString()}`);
  return [{ method: 'GET', path: `/bodies/${body.length}` }];
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
      ...(line.rateGoal === undefined ? {} : { goal: `>= ${line.rateGoal}`, met: rates.product >= line.rateGoal }),
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

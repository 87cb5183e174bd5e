import { interleaved } from '../load/interleave.js';
import { runLoad } from '../load/load.js';
import type { LoadRequest } from '../load/model.js';
import { fillLog } from '../log/fill.js';
import { startProduct, type Product } from '../product/product.js';
import { seed, type Seed } from '../product/seed.js';
import { getTeams, renameTeams } from './requests.js';
import type { Context, Figure, Scenario } from './scenario.js';

const small = 1_000;
const tolerance = 0.15;
const size = { members: 20, teams: 50 };

/** Half of the filling are teams of another organization: they are projected, indexed and snapshot like all others. */
const ofTeams = 0.5;

/** What a request costs beside a small log and beside a large one, in two installations that take turns. */
export const logSize: Scenario = {
  name: 'log-size',
  summary: 'Cost per request with 1,000 events in the log, and with many',
  async run(context: Context): Promise<Figure[]> {
    const { events } = context.options;
    const few = await filled(context, small);
    const many = await filled(context, events);
    const rates = await interleaved(context.options.rounds, {
      getFew: () => rate(context, few, getTeams(few.seed), false),
      getMany: () => rate(context, many, getTeams(many.seed), false),
      patchFew: () => rate(context, few, renameTeams(few.seed, `f${Date.now()}`), true),
      patchMany: () => rate(context, many, renameTeams(many.seed, `m${Date.now()}`), true),
    });
    await few.product.stop();
    await many.product.stop();
    return [
      ...figures('GET team', rates.getFew, rates.getMany, events),
      ...figures('PATCH team', rates.patchFew, rates.patchMany, events),
    ];
  },
};

interface Filled {
  product: Product;
  seed: Seed;
}

async function filled({ cleanup, say }: Context, events: number): Promise<Filled> {
  say(`an installation with ${events} events`);
  const product = await startProduct(cleanup);
  const seeded = await seed(product, size);
  await fillLog(product, { events, teams: ofTeams, say });
  return { product, seed: seeded };
}

async function rate(
  { options, say }: Context,
  { product }: Filled,
  requests: LoadRequest[],
  perConnection: boolean,
): Promise<number> {
  const { connections, seconds } = options;
  const result = await runLoad({
    endpoint: product.endpoint,
    token: product.token,
    requests,
    perConnection,
    connections,
    seconds,
  });
  say(`${requests[0]?.method}: ${Math.round(result.rate)} requests/s, ${result.failures} failed`);
  return result.rate;
}

function figures(what: string, few: number, many: number, events: number): Figure[] {
  const cost = few / many;
  return [
    {
      scenario: 'log-size',
      what: `${what}: cost with ${events} events`,
      value: cost,
      unit: 'x',
      goal: `<= ${1 + tolerance}`,
      met: cost <= 1 + tolerance,
    },
    { scenario: 'log-size', what: `${what}: 1,000 events`, value: few, unit: 'requests/s' },
    { scenario: 'log-size', what: `${what}: ${events} events`, value: many, unit: 'requests/s' },
  ];
}

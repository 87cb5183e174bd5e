import { callOperation, identityContract } from '@scriptorium/contracts';
import { interleaved } from '../load/interleave.js';
import { fillLog } from '../log/fill.js';
import { readAllRate } from '../log/read-all.js';
import { startProduct, type Product } from '../product/product.js';
import type { Context, Figure, Scenario } from './scenario.js';

const goal = 0.6;
const withinMs = 600_000;

/** How fast a read model is built again and compared, beside reading the same log and doing nothing. */
export const rebuild: Scenario = {
  name: 'rebuild',
  summary: 'Rebuild of the teams, hashes included, beside a bare read of the log',
  async run({ cleanup, options, profiler, say }: Context): Promise<Figure[]> {
    const product = await startProduct(cleanup, profiler?.environment);
    await fillLog(product, { events: options.events, teams: 1, say });
    const name = await teamsProjection(product);
    const rebuildOnce = async () => {
      const result = await callOperation({ ...product, timeoutMs: withinMs }, identityContract.operator.rebuild, {
        params: { projection: name },
      });
      if (!result.equal) throw new Error(`${name} differs from its rebuild: ${JSON.stringify(result)}`);
      say(`rebuild: ${result.events} events in ${Math.round(result.ms)} ms`);
      return result.events / (result.ms / 1000);
    };
    const rates = await interleaved(options.rounds, {
      bare: () => readAllRate(product.servers.EVENTSTORE_URL),
      rebuild: rebuildOnce,
    });
    await profiler?.during(product, 'rebuild', rebuildOnce);
    await product.stop();
    const ratio = rates.rebuild / rates.bare;
    return [
      { scenario: 'rebuild', what: 'of a bare read', value: ratio, unit: 'x', goal: `>= ${goal}`, met: ratio >= goal },
      { scenario: 'rebuild', what: `rebuild of ${name}`, value: rates.rebuild, unit: 'events/s' },
      { scenario: 'rebuild', what: 'bare read of the log', value: rates.bare, unit: 'events/s' },
    ];
  },
};

async function teamsProjection(product: Product): Promise<string> {
  const { items } = await callOperation(product, identityContract.operator.consumers, { query: { limit: 1000 } });
  const found = items.find(({ name }) => /^team_v\d+$/.test(name));
  if (found === undefined) throw new Error('There is no projection of teams');
  return found.name;
}

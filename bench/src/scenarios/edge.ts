import { freePort } from '@scriptorium/embedded/free-port';
import { Findings } from '../crash/findings.js';
import { manage } from '../crash/managed-process.js';
import { interleaved } from '../load/interleave.js';
import { runLoad } from '../load/load.js';
import type { LoadRequest } from '../load/model.js';
import { repositoryFile } from '../processes/paths.js';
import type { Product } from '../product/product.js';
import { getTeams, renameTeams } from './requests.js';
import type { Context, Figure, Scenario } from './scenario.js';

/** Share of the throughput that all mechanisms together may cost. */
const goal = 0.15;
const startMs = 30_000;

/** A gateway of its own before the same services: what differs is what it does besides forwarding. */
const settings = {
  on: { RATE_LIMIT: '1000000000' },
  off: { RATE_LIMIT: '0', COMPRESS_FROM_BYTES: '0', ALLOWED_HOSTS: '*' },
} as const;

const asked = {
  get: { 'Accept-Encoding': 'gzip, br', 'If-None-Match': '"another-answer"', 'Scriptorium-After': '0' },
  patch: { 'Accept-Encoding': 'gzip, br', 'Idempotency-Key': '{run}-{c}-{n}', 'If-Match': '*' },
} as const;

/** What the mechanisms at the edge cost: rates, conditions, kept answers, compression, names of hosts. */
export const edge: Scenario = {
  name: 'edge',
  summary: 'GET and PATCH with every mechanism at the edge, beside the same without',
  async run(context: Context): Promise<Figure[]> {
    const { product, seed } = await context.product();
    const [on, off] = [await startGateway(product, 'on', context), await startGateway(product, 'off', context)];
    const figures: Figure[] = [];
    const lines = [
      { what: 'GET team', perConnection: false, requests: () => getTeams(seed), headers: asked.get },
      {
        what: 'PATCH team that asks for nothing',
        perConnection: true,
        requests: (run: string) => renameTeams(seed, run),
        headers: {},
      },
      {
        what: 'PATCH team',
        perConnection: true,
        requests: (run: string) => renameTeams(seed, run),
        headers: asked.patch,
      },
    ];
    for (const line of lines) {
      const load = async (endpoint: string, headers: Record<string, string>): Promise<number> => {
        const run = `e${Date.now()}`;
        const requests = line
          .requests(run)
          .map((request): LoadRequest => ({ ...request, headers: withRun(headers, run) }));
        const { connections, seconds } = context.options;
        const { rate, failures } = await runLoad({
          endpoint,
          token: product.token,
          requests,
          perConnection: line.perConnection,
          connections,
          seconds,
        });
        context.say(`edge: ${line.what} ${Math.round(rate)}/s, ${failures} failed`);
        return rate;
      };
      await load(on, line.headers);
      const rates = await interleaved(context.options.rounds, {
        off: () => load(off, {}),
        on: () => load(on, line.headers),
      });
      const cost = 1 - rates.on / rates.off;
      figures.push(
        {
          scenario: 'edge',
          what: `cost of everything, ${line.what}`,
          value: cost,
          unit: 'of the rate',
          goal: `<= ${goal}`,
          met: cost <= goal,
        },
        { scenario: 'edge', what: `${line.what} with everything`, value: rates.on, unit: 'requests/s' },
        { scenario: 'edge', what: `${line.what} without`, value: rates.off, unit: 'requests/s' },
      );
    }
    return figures;
  },
};

function withRun(headers: Record<string, string>, run: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('{run}', run)]));
}

async function startGateway(
  { servers, secretKeys, endpoint: publicUrl }: Product,
  name: keyof typeof settings,
  { cleanup }: Context,
): Promise<string> {
  const port = await freePort();
  const { NATS_URL, NAMESPACE } = servers;
  const environment = {
    NATS_URL,
    NAMESPACE,
    SECRET_KEYS: secretKeys,
    PUBLIC_URL: publicUrl,
    PORT: String(port),
    CONTENT_PORT: '0',
    INTEGRATIONS_PORT: '0',
    ADMIN_PORT: String(await freePort()),
    LOG_FORMAT: 'json',
    ...settings[name],
  };
  const gateway = manage(
    { name: `gateway-${name}`, script: repositoryFile('apps/gateway/dist/main.js'), environment },
    new Findings(),
  );
  cleanup.add(() => gateway.stop());
  gateway.start();
  await gateway.untilReady(startMs);
  return `http://127.0.0.1:${port}`;
}

import { percentile } from '../load/statistics.js';
import type { Seed } from '../product/seed.js';
import type { Context, Figure, Scenario } from './scenario.js';

const name = 'integrations-render';
const calls = 300;
const goals = { p50: 15, p99: 40 };
const script = `const shown = { type: 'element', element: { type: 'block', children: [] }, state: {}, props: {} };
export default { async fetch() { return Response.json(shown); } };`;

/** How long it takes until a component is rendered by a script whose process runs. */
export const integrationsRender: Scenario = {
  name,
  summary: 'Rendering a component of an integration: the first call, and the next ones',
  async run(context: Context): Promise<Figure[]> {
    const { seed } = await context.product();
    const { integration, spaceId } = await installed(seed);
    const render = () => timed(seed, integration, spaceId);
    const cold = await render();
    const times: number[] = [];
    for (let call = 0; call < calls; call += 1) times.push(await render());
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    const common = { scenario: name, unit: 'ms' };
    return [
      { ...common, what: 'the first rendering', value: cold },
      { ...common, what: 'p50 of a rendering', value: p50, goal: `<= ${goals.p50}`, met: p50 <= goals.p50 },
      { ...common, what: 'p99 of a rendering', value: p99, goal: `<= ${goals.p99}`, met: p99 <= goals.p99 },
    ];
  },
};

async function timed({ client }: Seed, integrationName: string, spaceId: string): Promise<number> {
  const context = { type: 'document', theme: 'light', spaceId, editable: false } as const;
  const body = { componentId: 'x', props: {}, context };
  const began = performance.now();
  await client.renderIntegrationUIWithPost({ params: { integrationName }, body });
  return performance.now() - began;
}

async function installed({ client, organization }: Seed): Promise<{ integration: string; spaceId: string }> {
  const integrationName = `rendered-${Date.now()}`;
  const texts = { title: 'Rendered', description: 'Shows an empty block' };
  await client.publishIntegration({
    params: { integrationName },
    body: { ...texts, scopes: [], script, organization },
  });
  const space = { title: 'Rendered', empty: true } as const;
  const { id: spaceId } = await client.createSpace({ params: { organizationId: organization }, body: space });
  const { id: installationId } = await client.installIntegration({
    params: { integrationName },
    body: { organization },
  });
  const params = { integrationName, installationId };
  await client.installIntegrationOnSpace({ params, query: {}, body: { space: spaceId } });
  return { integration: integrationName, spaceId };
}

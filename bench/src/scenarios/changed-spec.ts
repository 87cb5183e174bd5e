import { timeEach } from '../load/one-at-a-time.js';
import { median } from '../load/statistics.js';
import type { Product } from '../product/product.js';
import { numbersTo, type Seed } from '../product/seed.js';
import { createSpace } from './library.js';
import { processed } from './processed-spec.js';
import type { Figure } from './scenario.js';

const goalMs = 2_000;
const versions = 3;
const slug = 'changed';
const plainPages = 20;

/** A specification, and the same after a small change. */
export type Changed = (title: string) => object;

/** How long the first reader of a space waits whose computed pages follow a specification that has just changed. */
export async function changedFigures(product: Product, seed: Seed, documentOf: Changed): Promise<Figure[]> {
  const write = (title: string) => processed(seed, slug, { text: JSON.stringify(documentOf(title)) });
  await write('Version 0');
  const { id } = await createSpace(seed, 'Changed API', plainPages, 1_000);
  const computed = (props: { models?: boolean; grouping?: 'operation' }) => ({
    operation: 'insert_computed' as const,
    title: 'Reference',
    computed: {
      type: 'builtin:openapi' as const,
      props,
      dependencies: { spec: { ref: { kind: 'openapi' as const, spec: slug } } },
    },
  });
  const changes = [computed({ models: true }), computed({ grouping: 'operation' })];
  await seed.client.changeSpaceContent({ params: { spaceId: id }, body: { changes } });
  const list = () => timeEach(product, [{ method: 'GET', path: `/v1/spaces/${id}/content/pages` }]);
  const [first = 0] = await list();
  const times: number[] = [];
  for (const version of numbersTo(versions)) {
    await write(`Version ${version + 1}`);
    times.push(...(await list()));
  }
  const value = median(times);
  return [
    {
      scenario: 'specs',
      what: 'pages of a space with two computed pages, the first time after a change',
      value,
      unit: 'ms',
      goal: `<= ${goalMs}`,
      met: value <= goalMs,
      note: `before anything of the specification was shown: ${(first / 1_000).toFixed(1)} s`,
    },
  ];
}

import { describe, expect, it } from '@jest/globals';
import { AppError, type PublishedContent } from '@scriptorium/contracts';
import type { Block, Data } from '@scriptorium/rich-text';
import type { Api } from './api.js';
import { createComponents } from './components.js';

const at = { organization: 'o', space: 's', apiToken: 'token' } as PublishedContent;
const resolved = { integration: { name: 'acme', title: 'Acme', version: 1 }, component: 'plot', frames: [] };
const block = (data: Data = {}): Block => ({
  object: 'block',
  type: 'integration',
  isVoid: true,
  data: { integration: 'acme', block: 'plot', props: {}, resolved, ...data },
});
const asked = (...nodes: Block[]) => ({
  document: { object: 'document' as const, data: {}, nodes },
  theme: 'light' as const,
  visitor: '203.0.113.5',
});
const element = (text: string) => ({
  type: 'element',
  element: { type: 'block', children: [text] },
  state: {},
  props: {},
});

function start(answer: (body: object, count: number) => unknown) {
  let time = 1_000_000;
  /** The paths, bodies and options of what was asked. */
  const asks: Parameters<Api['post']>[] = [];
  const api: Pick<Api, 'post'> = {
    post: async <T>(...given: Parameters<Api['post']>) => {
      asks.push(given);
      return { body: (await answer(given[1], asks.length)) as T, freshMs: 0 };
    },
  };
  const components = createComponents(api, () => time);
  return { asks, components, later: (ms: number) => (time += ms) };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('what integrations have rendered', () => {
  it('is asked for once for all who see the same, with the token of the site', async () => {
    const { asks, components, later } = start((_body, count) => element(`${count}`));
    const [one, same, other] = [block(), block(), block({ props: { n: 1 }, action: { action: 'unfurl' } })];
    const [first, again] = await Promise.all([components.of(at, asked(one, other)), components.of(at, asked(same))]);
    expect(first.get(one)).toEqual({ element: { type: 'block', children: ['1'] }, state: {} });
    expect(again.get(same)).toEqual(first.get(one));
    expect(first.size).toBe(2);
    expect(asks.map(([path, body]) => [path, body])).toEqual([
      ['/integrations/acme/render', expect.objectContaining({ componentId: 'plot', props: {} })],
      ['/integrations/acme/render', expect.objectContaining({ props: { n: 1 }, action: { action: 'unfurl' } })],
    ]);
    expect(asks[0]?.[1]).toMatchObject({
      context: { type: 'document', theme: 'light', spaceId: 's', editable: false },
    });
    expect(asks[0]?.[2]).toMatchObject({ token: 'token', visitor: '203.0.113.5' });
    // What is shown is shown until there is something newer.
    later(61_000);
    expect((await components.of(at, asked(one))).get(one)?.element['children']).toEqual(['1']);
    await settled();
    expect((await components.of(at, asked(one))).get(one)?.element['children']).toEqual(['3']);
    const newer = block({ resolved: { ...resolved, integration: { name: 'acme', version: 2 } } });
    expect((await components.of(at, asked(newer))).get(newer)?.element['children']).toEqual(['4']);
  });

  it('is nothing where no integration is active', async () => {
    const { asks, components } = start(() => element('x'));
    const ended = [null, 'x', {}, { integration: { name: 'acme' } }, { component: 'plot' }];
    expect((await components.of(at, asked(...ended.map((one) => block({ resolved: one }))))).size).toBe(0);
    expect(asks).toEqual([]);
  });

  it('stays as it was while the integration fails, which rests then', async () => {
    let fails = false;
    const { asks, components, later } = start(() => {
      if (fails) throw new AppError('integration_failed');
      return element('good');
    });
    const one = block();
    await components.of(at, asked(one));
    fails = true;
    later(61_000);
    expect((await components.of(at, asked(one))).size).toBe(1);
    await settled();
    later(29_000);
    expect((await components.of(at, asked(one))).size).toBe(1);
    expect(asks).toHaveLength(2);
    later(3_600_000);
    expect((await components.of(at, asked(one))).size).toBe(0);
    expect(asks).toHaveLength(3);
    later(31_000);
    await components.of(at, asked(one));
    expect(asks).toHaveLength(3);
  });

  it.each(['rate_limited', 'unauthenticated', 'unavailable', 'runtime_unavailable'] as const)(
    'is asked for again soon after a refusal that is not of the integration: %s',
    async (reason) => {
      const reasons: (typeof reason | 'integration_failed')[] = [reason, reason, 'integration_failed'];
      const { asks, components, later } = start((_body, nth) => {
        const refused = reasons[nth - 1];
        if (refused !== undefined) throw new AppError(refused, [], { retryAfter: 600 });
        return element('good');
      });
      const one = block();
      for (const count of [1, 2, 3]) {
        expect((await components.of(at, asked(one))).size).toBe(0);
        expect(asks).toHaveLength(count);
        later(5_001);
      }
      // Only the last one was a failure of the integration, and its first.
      await components.of(at, asked(one));
      expect(asks).toHaveLength(3);
      later(25_000);
      expect((await components.of(at, asked(one))).size).toBe(1);
    },
  );

  it.each(['integration_timeout', 'integration_resting', 'script_blocked', 'script_out_of_memory'] as const)(
    'rests after %s',
    async (reason) => {
      const { asks, components, later } = start(() => {
        throw new AppError(reason);
      });
      await components.of(at, asked(block()));
      later(29_000);
      await components.of(at, asked(block()));
      expect(asks).toHaveLength(1);
    },
  );

  it('is not what is no element, or is too large', async () => {
    const answers = [null, 'x', { type: 'complete' }, { type: 'element' }, element('x'.repeat(600_000))];
    const { components } = start((_body, count) => answers[count - 1]);
    const all = answers.map((_, n) => block({ props: { n } }));
    expect((await components.of(at, asked(...all))).size).toBe(0);
  });

  it('is bounded for a page, and nobody waits for an integration that takes long already', async () => {
    const { asks, components, later } = start(() => new Promise(() => undefined));
    const many = Array.from({ length: 40 }, (_, n) => block({ props: { n } }));
    const first = components.of(at, asked(...many));
    await settled();
    expect(asks).toHaveLength(4);
    later(1_600);
    expect((await components.of(at, asked(...many))).size).toBe(0);
    expect(asks).toHaveLength(4);
    expect((await first).size).toBe(0);
  });

  it('is rendered of all organizations in turn', async () => {
    const ends: (() => void)[] = [];
    const { asks, components } = start(() => new Promise((resolve) => ends.push(() => resolve(element('late')))));
    const many = (name: string) => asked(...Array.from({ length: 20 }, (_, n) => block({ props: { name, n } })));
    const of = (organization: string) => components.of({ ...at, organization }, many(organization));
    const begun = () => asks.map(([, body]) => (body as { props: { name: string } }).props.name);
    for (const organization of ['a', 'b', 'c', 'd', 'e']) void of(organization);
    expect(begun()).toEqual([...'aaaabbbbccccdddd']);
    ends[0]?.();
    await settled();
    expect(begun().slice(16)).toEqual(['a']);
    ends[1]?.();
    await settled();
    expect(begun().slice(17)).toEqual(['e']);
    // What waits is rendered without another visit, and asked for once.
    void of('e');
    for (let ended = 2; ended < ends.length; ended += 1) {
      ends[ended]?.();
      await settled();
    }
    expect(asks).toHaveLength(100);
    expect(new Set(asks.map(([, body]) => JSON.stringify(body))).size).toBe(100);
  });

  it('is rendered no more once the reader stops', async () => {
    const { asks, components } = start(() => new Promise(() => undefined));
    void components.of(at, asked(...Array.from({ length: 20 }, (_, n) => block({ props: { n } }))));
    components.stop();
    await settled();
    expect(asks).toHaveLength(4);
  });
});

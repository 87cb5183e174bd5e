import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { termsOf } from '@scriptorium/clustering';
import { ConfigError, createOutbound, parseNetworks } from '@scriptorium/platform';
import { startModelServer, type ModelServer } from '../test/model-server.js';
import { ModelFailure } from './ask-model.process.js';
import { createChat } from './chat.process.js';
import { createEmbeddings } from './embeddings.process.js';
import { Models } from './models.process.js';

const outbound = createOutbound({ allowed: parseNetworks('127.0.0.0/8') });
const never = new AbortController().signal;
const secret = 'key-of-the-model';
const conversation = { subject: '', messages: ['A private message'] };
const text = (words: string) => ({ text: words, terms: termsOf(words, 'en') });
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    (error: unknown) => error,
  );

describe('models', () => {
  it('are none without settings, and are refused by names when these are not complete', () => {
    expect(new Models({})).toEqual({ chat: undefined, embeddings: undefined });
    expect(() => new Models({ CONVERSATIONS_CHAT_URL: 'http://a' })).toThrow(ConfigError);
    expect(() => new Models({ CONVERSATIONS_EMBEDDINGS_MODEL: 'm' })).toThrow(/CONVERSATIONS_EMBEDDINGS_URL/);
  });
});

describe('the server of a model', () => {
  let server: ModelServer;
  beforeEach(async () => void (server = await startModelServer()));
  afterEach(() => server.stop());

  const place = (withinMs = 5_000) => ({ outbound, url: server.url, model: 'm', key: secret, withinMs });
  const both = (withinMs?: number, signal = never): [string, () => Promise<unknown>][] => [
    ['chat', () => createChat(place(withinMs)).issuesOf(conversation, signal)],
    ['embeddings', () => createEmbeddings(place(withinMs)).open(signal)],
  ];

  it.each([
    ['an error', { status: 500, instead: 'private' }, 'server'],
    ['a redirect', { status: 302, instead: '' }, 'server'],
    ['a page', { status: 200, instead: '<p>private</p>' }, 'answer'],
    ['another form', { status: 200, instead: '{"private": [1, 2]}' }, 'answer'],
    ['too much', { status: 200, instead: `"${'private'.repeat(1_500_000)}"` }, 'server'],
  ] as const)('that answers %s fails, and nothing of the answer is told', async (_what, given, kind) => {
    Object.assign(server, given);
    for (const [, ask] of both()) {
      const error = await failure(ask());
      expect(error).toBeInstanceOf(ModelFailure);
      expect(error).toMatchObject({ kind });
      expect(String(error)).not.toMatch(/private|127\.0\.0\.1|key-of/);
    }
  });

  it('that says nothing fails within its time, and ends with the step', async () => {
    server.instead = null;
    for (const [, ask] of both(50))
      expect(await failure(ask())).toMatchObject({ message: 'The other side took longer than 50 ms' });
    for (const [, ask] of both(5_000, AbortSignal.abort()))
      expect(await failure(ask())).not.toBeInstanceOf(ModelFailure);
  });

  it.each([
    ['none for a text', [[1]]],
    ['of different lengths', [[1], [1, 2]]],
    ['that are no numbers', [['x'], ['y']]],
  ])('that gives vectors %s fails', async (_what, vectors) => {
    const embedder = await createEmbeddings(place()).open(never);
    server.instead = JSON.stringify({ data: vectors.map((embedding, index) => ({ index, embedding })) });
    expect(await failure(embedder.embed([text('a'), text('b')]))).toMatchObject({ kind: 'answer' });
  });

  it('gives vectors in the order of the texts, and another version when their length is another one', async () => {
    server.vectorOf = (words) => (words === 'first' ? [1, 0] : [0, 1]);
    const embeddings = createEmbeddings(place());
    const embedder = await embeddings.open(never);
    const vectors = await embedder.embed([text('first'), text('second')]);
    expect(vectors.map((vector) => vector.kind === 'dense' && [...vector.values])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(embedder.version).toBe('openai m 2');
    server.vectorOf = () => [1, 0, 0];
    expect(await failure(embedder.embed([text('first')]))).toBeInstanceOf(ModelFailure);
    expect((await embeddings.open(never)).version).toBe('openai m 3');
  });

  it('that does not take a text gets its beginning, and holds up no others', async () => {
    server.vectorOf = () => [1, 0];
    const embedder = await createEmbeddings(place()).open(never);
    const long = 'long '.repeat(100);
    server.takes = (words) => words.length <= 120 && words !== 'unwanted';
    const vectors = await embedder.embed(['fine', long, 'unwanted'].map(text));
    expect(vectors.map((vector) => vector.kind === 'dense' && [...vector.values])).toEqual([
      [1, 0],
      [1, 0],
      [0, 0],
    ]);
    expect(await embedder.embed([text('unwanted')])).toMatchObject([{ kind: 'dense' }]);
    server.takes = () => false;
    expect(await failure(embedder.embed([text('fine')]))).toMatchObject({ kind: 'refused' });
  });

  it('is no reason when too much is sent from here, and is one when its address is wrong', async () => {
    const busy = { ...place(), outbound: createOutbound({ allowed: parseNetworks('127.0.0.0/8'), atOnce: 0 }) };
    const sent = (to: ReturnType<typeof place>) => [
      createChat(to).issuesOf(conversation, never),
      createEmbeddings(to).open(never),
    ];
    for (const asked of sent(busy)) {
      const error = await failure(asked);
      expect(error).not.toBeInstanceOf(ModelFailure);
      expect(error).toMatchObject({ reason: 'unavailable' });
    }
    for (const asked of sent({ ...place(), url: 'ftp://127.0.0.1' }))
      expect(await failure(asked)).toBeInstanceOf(ModelFailure);
  });

  it('says how long to wait, at most an hour, and is not asked again before', async () => {
    server.status = 429;
    for (const [header, waitMs] of Object.entries({ '7': 7_000, '999999': 3_600_000, soon: 0 })) {
      server.headers = { 'retry-after': header };
      server.embedded.length = 0;
      for (const [, ask] of both()) expect(await failure(ask())).toMatchObject({ kind: 'server', waitMs });
      expect([header, server.embedded.length]).toEqual([header, waitMs > 0 ? 1 : 2]);
    }
  });
});

import { vectorsOfAnswer, type DenseVector, type Embedder } from '@scriptorium/clustering';
import * as z from 'zod';
import { askModel, ModelFailure, usable, type ModelPlace } from './ask-model.process.js';

/** A model that makes vectors of texts. */
export interface Embeddings {
  /**
   * The model as it is now. The length of its vectors is part of their version, so it is asked for one vector first, if
   * this process does not know it.
   * @throws ModelFailure
   */
  open(signal: AbortSignal): Promise<Embedder>;
}

/** What the model is asked for to learn the length of its vectors. */
const anySentence = 'How do I change my password?';

const answer = z.object({ data: z.array(z.object({ index: z.int(), embedding: z.unknown() })) });

/** A text that a server does not take is shortened to so many characters: models have their own longest text. */
const shortest = 120;

/**
 * A model behind an interface of embeddings. A request that fails is sent once more, unless the server says how long to
 * wait.
 */
export function createEmbeddings(place: ModelPlace): Embeddings {
  let length: number | undefined;
  const vectorsOf = (texts: readonly string[], signal: AbortSignal) => twice(() => ask(place, texts, signal));
  return {
    async open(signal) {
      length ??= (await vectorsOf([anySentence], signal))[0]?.values.length ?? 0;
      const expected = length;
      return {
        kind: 'dense',
        version: `openai ${place.model} ${expected}`,
        async embed(texts, until = signal) {
          const sent = texts.map(({ text }) => text);
          const vectors = await eachOf(sent, expected, (some) => vectorsOf(some, until));
          if (vectors.every(({ values }) => values.length === expected)) return vectors;
          length = undefined;
          throw new ModelFailure('The vectors of the model have another length than before', 'answer');
        },
      };
    },
  };
}

async function ask(place: ModelPlace, input: readonly string[], signal: AbortSignal) {
  const body = { input, encoding_format: 'float' };
  const { data } = await askModel(place, { path: '/embeddings', body, answer, signal });
  const inOrder = data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding);
  return usable(() => vectorsOfAnswer(inOrder, input.length));
}

/**
 * The vectors of texts. When the server does not take them, each is sent alone, and then its beginning. One that is not
 * taken at all gets a vector of zeros, which is like no other, so that it does not hold up the others.
 */
async function eachOf(
  texts: readonly string[],
  length: number,
  ask: (some: readonly string[]) => Promise<DenseVector[]>,
): Promise<DenseVector[]> {
  const all = await taken(() => ask(texts));
  if (all !== undefined) return all;
  const vectors: DenseVector[] = [];
  let isTaken = false;
  for (const text of texts) {
    const own = (await taken(() => ask([text]))) ?? (await taken(() => ask([text.slice(0, shortest)])));
    isTaken ||= own !== undefined;
    vectors.push(own?.[0] ?? { kind: 'dense', values: new Float32Array(length) });
  }
  // When it takes none of them, the reason may be another one.
  if (!isTaken) await ask([anySentence]);
  return vectors;
}

async function taken<T>(attempt: () => Promise<T>): Promise<T | undefined> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof ModelFailure && error.kind === 'refused') return undefined;
    throw error;
  }
}

async function twice<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof ModelFailure) || error.kind === 'refused' || error.waitMs > 0) throw error;
    return attempt();
  }
}

import { vectorsOfAnswer, type Embedder } from '@scriptorium/clustering';
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

/** A model behind an interface of embeddings. A request that fails is sent once more. */
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
          const vectors = await vectorsOf(sent, until);
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

async function twice<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    return attempt();
  }
}

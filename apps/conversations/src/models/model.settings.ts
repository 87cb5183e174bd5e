import * as z from 'zod';

const place = z.url({ protocol: /^https?$/ }).optional();
const text = z.string().min(1).optional();

/** Settings of the models that help with conversations. Without them nothing is sent anywhere. */
export const modelSettings = {
  CONVERSATIONS_CHAT_URL: place.describe(
    'Language model that finds and names the issues of conversations: base of an interface with the OpenAI protocol, `http://127.0.0.1:11434/v1`; it may be in the own network. Unset: the product does it without a model',
  ),
  CONVERSATIONS_CHAT_MODEL: text.describe('Model to ask there'),
  CONVERSATIONS_CHAT_KEY: text.describe('Key of that interface'),
  CONVERSATIONS_EMBEDDINGS_URL: place.describe(
    'Model of embeddings by which issues are compared: base of an interface with the OpenAI protocol. Unset: they are compared by their words',
  ),
  CONVERSATIONS_EMBEDDINGS_MODEL: text.describe('Model to ask there; another one is another space of vectors'),
  CONVERSATIONS_EMBEDDINGS_KEY: text.describe('Key of that interface'),
};

export type ModelSettings = z.output<z.ZodObject<typeof modelSettings>>;

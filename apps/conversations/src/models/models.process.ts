import { ConfigError, createOutbound, parseNetworks } from '@scriptorium/platform';
import type { ModelPlace } from './ask-model.process.js';
import { createChat, type Chat } from './chat.process.js';
import { createEmbeddings, type Embeddings } from './embeddings.process.js';
import type { ModelSettings } from './model.settings.js';

/** The operator's addresses are trusted: they may be in any network. */
const anywhere = '0.0.0.0/0,::/0';
/** How long an answer may take, ms. */
const [chatMs, embeddingsMs] = [50_000, 15_000];

/** The models of this installation, as its operator has set them. */
export class Models {
  /** `undefined` while the operator has set none: issues are found and named without a model then. */
  readonly chat: Chat | undefined;
  /** `undefined` while the operator has set none: issues are compared by their words then. */
  readonly embeddings: Embeddings | undefined;

  /** @throws ConfigError for a model without a URL, or a URL without a model */
  constructor(settings: ModelSettings) {
    const chat = placeOf(settings, 'CHAT', chatMs);
    this.chat = chat === undefined ? undefined : createChat(chat);
    const embeddings = placeOf(settings, 'EMBEDDINGS', embeddingsMs);
    this.embeddings = embeddings === undefined ? undefined : createEmbeddings(embeddings);
  }
}

function placeOf(settings: ModelSettings, kind: 'CHAT' | 'EMBEDDINGS', withinMs: number): ModelPlace | undefined {
  const url = settings[`CONVERSATIONS_${kind}_URL`];
  const model = settings[`CONVERSATIONS_${kind}_MODEL`];
  if (url === undefined && model === undefined) return undefined;
  if (url === undefined || model === undefined)
    throw new ConfigError(
      `CONVERSATIONS_${kind}_URL and CONVERSATIONS_${kind}_MODEL are set together, or none of them is`,
    );
  const key = settings[`CONVERSATIONS_${kind}_KEY`];
  const outbound = createOutbound({ allowed: parseNetworks(anywhere) });
  return { outbound, url: url.replace(/\/+$/, ''), model, key, withinMs };
}

import { AppError, type PublishedContent } from '@scriptorium/contracts';
import { JobQueue } from '@scriptorium/platform/workers';
import { integrationBlocks, type Block, type Data, type Json, type RichDocument } from '@scriptorium/rich-text';
import { isObject, textIn } from '@scriptorium/rich-text/reading';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Component } from '../rich-text/rendered-component.js';
import type { Api } from './api.js';

/** Has integrations render the blocks of documents. What they have rendered is kept. */
export interface Components {
  /**
   * What integrations have rendered of the blocks of a document, as far as it is known, or they answer soon. Never
   * fails: a block that is not there is shown without its integration.
   */
  of(at: PublishedContent, asked: AskedComponents): Promise<ReadonlyMap<Block, Component>>;
  /** Drops what waits to be rendered. */
  stop(): void;
}

export interface AskedComponents {
  document: RichDocument;
  theme: 'light' | 'dark';
  /** The address of the visitor, for the rates of a gateway that trusts the reader. */
  visitor: string;
}

/** How long what was rendered is shown without asking again, and how long at most while nothing newer comes. */
const freshMs = 60_000;
const keptMs = 3_600_000;
/** A page waits so long for integrations that it has not been shown by before; they go on without it. */
const waitMs = 1_500;
/** Longer than the API gives a script, so that it says whether it was the script that took so long. */
const timeoutMs = 12_000;
/** After a failure a component rests, twice as long after each further one. */
const rest = { firstMs: 30_000, longestMs: 600_000 };
/** When a component is asked for again that was not asked for now, as the API refused to. */
const againMs = 5_000;
/** Components of a page; and what is kept, in characters of JSON. */
const most = { ofPage: 20, kept: 16 * 1024 * 1024, ofOne: 512 * 1024 };
/** What is rendered at a time and what waits for that, in all and of one organization. */
const bounds = { mostAtOnce: 16, mostOfOne: 4, mostWaiting: 200, mostWaitingOfOne: 40 };

/** A component as the API is asked for it. */
interface Request {
  integration: string;
  version: unknown;
  body: { componentId: string; props: Data; action?: Data; context: object };
}

interface Known {
  component: Component | undefined;
  /** When it was rendered, ms since 1970; `component` is not older than that. */
  renderedAt: number;
  /** When it may be asked for again. */
  until: number;
  failures: number;
}

/** `now`: ms since 1970. */
export function createComponents(api: Pick<Api, 'post'>, now: () => number = Date.now): Components {
  const kept = new KeptComponents((request, asking) => ask(api, request, asking), now);
  return {
    stop: () => kept.stop(),
    async of(at, { document, theme, visitor }) {
      const asked = integrationBlocks(document)
        .slice(0, most.ofPage)
        .flatMap((block) => {
          const request = requestFor(block, at.space, theme);
          return request === undefined ? [] : [{ block, request, key: keyOf(at, request) }];
        });
      const awaited = asked.flatMap(({ key, request }) => kept.renew(key, request, { at, visitor }));
      if (awaited.length > 0) await Promise.race([Promise.all(awaited), delay(waitMs, undefined, { ref: false })]);
      const found = asked.map(({ block, key }) => [block, kept.get(key)] as const);
      return new Map(found.flatMap(([block, one]) => (one === undefined ? [] : [[block, one] as const])));
    },
  };
}

/** What was rendered, by what it was rendered from. */
class KeptComponents {
  readonly #known = new LRUCache<string, Known>({ maxSize: most.kept, sizeCalculation: sizeOf });
  /** What is asked for now, or waits for that. */
  readonly #asked = new Map<string, { work: Promise<void>; askedAt: number }>();
  readonly #queue = new JobQueue(bounds);
  readonly #ask: (request: Request, asking: Asking) => Promise<Component | undefined>;
  readonly #now: () => number;

  constructor(asks: (request: Request, asking: Asking) => Promise<Component | undefined>, now: () => number) {
    this.#ask = asks;
    this.#now = now;
  }

  get(key: string): Component | undefined {
    const found = this.#known.get(key);
    return found !== undefined && this.#now() - found.renderedAt < keptMs ? found.component : undefined;
  }

  /**
   * Renders what is not known, or not any more. What is answered is worth waiting for: something that is shown already
   * is shown until there is something newer, and nobody waits for what takes long already.
   */
  renew(key: string, request: Request, asking: Asking): Promise<void>[] {
    if ((this.#known.get(key)?.until ?? 0) > this.#now()) return [];
    const asked = this.#asked.get(key) ?? this.#add(key, request, asking);
    const isShown = this.get(key) !== undefined;
    return asked === undefined || isShown || this.#now() - asked.askedAt >= waitMs ? [] : [asked.work];
  }

  stop(): void {
    this.#queue.clear();
  }

  /** `undefined` where too much waits already. */
  #add(key: string, request: Request, asking: Asking) {
    let isAdded = false;
    const work = new Promise<void>((resolve) => {
      isAdded = this.#queue.add(asking.at.organization, async () => {
        await this.#render(key, request, asking);
        this.#asked.delete(key);
        resolve();
      });
    });
    if (!isAdded) return undefined;
    const asked = { work, askedAt: this.#now() };
    this.#asked.set(key, asked);
    return asked;
  }

  async #render(key: string, request: Request, asking: Asking): Promise<void> {
    const { component, renderedAt = 0, failures = 0 } = this.#known.get(key) ?? {};
    try {
      const rendered = await this.#ask(request, asking);
      const at = this.#now();
      this.#known.set(key, { component: rendered, renderedAt: at, until: at + freshMs, failures: 0 });
    } catch (error) {
      const isFailure = isOfIntegration(error);
      const restMs = isFailure ? Math.min(rest.longestMs, rest.firstMs * 2 ** failures) : againMs;
      const until = this.#now() + restMs;
      this.#known.set(key, { component, renderedAt, until, failures: isFailure ? failures + 1 : failures });
    }
  }
}

/**
 * Whether it is the integration that has failed. Other refusals of the API are of one visitor or of a moment: too many
 * requests, a token that has ended, a service that is down. What is no refusal is an answer that cannot be read.
 */
function isOfIntegration(error: unknown): boolean {
  return !(error instanceof AppError) || /^(?:integration|script)_/.test(error.reason);
}

interface Asking {
  at: PublishedContent;
  visitor: string;
}

/** What the integration of a block is asked for; `undefined` where none is there that could show it. */
function requestFor({ data }: Block, spaceId: string, theme: 'light' | 'dark'): Request | undefined {
  const { resolved, action } = data;
  if (!isObject(resolved) || !isObject(resolved['integration'])) return undefined;
  const { name, version } = resolved['integration'];
  const componentId = textIn(resolved, 'component');
  if (typeof name !== 'string' || componentId === '') return undefined;
  return {
    integration: name,
    version,
    body: {
      componentId,
      props: isObject(data['props']) ? data['props'] : {},
      ...(isObject(action) && typeof action['action'] === 'string' ? { action } : {}),
      context: { type: 'document', theme, spaceId, editable: false },
    },
  };
}

/** The same for all visitors of all sites: what is rendered depends on the block and its space alone. */
function keyOf({ organization }: PublishedContent, request: Request): string {
  return createHash('sha256')
    .update(JSON.stringify([organization, request]))
    .digest('base64url');
}

async function ask(api: Pick<Api, 'post'>, { integration, body }: Request, { at, visitor }: Asking) {
  const path = `/integrations/${encodeURIComponent(integration)}/render`;
  const options = { token: at.apiToken, signal: AbortSignal.timeout(timeoutMs), visitor };
  const { body: answer } = await api.post<Json>(path, body, options);
  if (!isObject(answer) || answer['type'] !== 'element' || !isObject(answer['element'])) return undefined;
  const { element, state } = answer;
  const component = { element, state: isObject(state) ? state : {} };
  return JSON.stringify(component).length > most.ofOne ? undefined : component;
}

function sizeOf({ component }: Known): number {
  return 200 + (component === undefined ? 0 : JSON.stringify(component).length);
}

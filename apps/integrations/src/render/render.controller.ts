import {
  integrationBounds,
  invalid,
  listConfigurationCompletions,
  renderIntegrationUIWithGet,
  renderIntegrationUIWithPost,
  RenderRequest,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { Addresses } from '../addresses/index.js';
import { CallScript } from '../dispatch/index.js';
import { requireInstallation } from '../installations/index.js';
import { requireIntegration } from '../publishing/index.js';
import { completionsFor } from './completions.process.js';
import { expandLzText } from './lz-text.js';
import { Renderer } from './renderer.process.js';

/** Components of integrations, and what they propose for their configuration. */
@Controller()
export class RenderController {
  constructor(
    readonly renderer: Renderer,
    readonly addresses: Addresses,
    readonly script: CallScript,
  ) {}

  @Handles(renderIntegrationUIWithPost)
  async post({ params, body }: InputOf<typeof renderIntegrationUIWithPost>, call: Call) {
    const integration = await requireIntegration(call, params.integrationName);
    return this.renderer.render(call, integration, body, (name) => `body.${name}`);
  }

  @Handles(renderIntegrationUIWithGet)
  async get({ params, query }: InputOf<typeof renderIntegrationUIWithGet>, call: Call) {
    const integration = await requireIntegration(call, params.integrationName);
    return this.renderer.render(call, integration, requestIn(query.request), () => 'query.request');
  }

  @Handles(listConfigurationCompletions)
  async completions({ params, query }: InputOf<typeof listConfigurationCompletions>, call: Call) {
    const found = await requireInstallation(call, params);
    return { items: await completionsFor(call, { ...this, now: call.now }, found, query) };
  }
}

/** @throws AppError `invalid_request` for what is not compressed, no JSON, or no request */
function requestIn(text: string): RenderRequest {
  const field = 'query.request';
  const json = expandLzText(text, integrationBounds.renderBytes);
  if (json === undefined) throw invalid(field, 'Must be a text that LZ-string has compressed for addresses');
  const parsed = RenderRequest.safeParse(jsonIn(json));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(field, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'It is no request'}`);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('query.request', 'Must be JSON, compressed');
  }
}

import type { ServiceAccess } from '@scriptorium/access';
import { AppError, type RenderOutput, type RenderRequest } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { createHash } from 'node:crypto';
import type { Addresses } from '../addresses/index.js';
import { isDeveloped } from '../dev-mode/index.js';
import type { CallScript } from '../dispatch/index.js';
import { entryKey, targetEntries } from '../installations/index.js';
import { canonical, type StoredIntegration } from '../publishing/index.js';
import { createAnswerCache, reuseOf, type AnswerCache } from '../scripts/index.js';
import { MalformedElement } from './contentkit.js';
import { withOneTimeLinks } from './one-time-links.process.js';
import { ownNames, readOwnProps, type OwnProps } from './own-props.process.js';
import { findRenderPlace, type RenderPlace } from './render-place.queries.js';
import { renderedIn } from './rendered.js';
import { requireOpening } from './visitor-request.js';

export interface RendererParts {
  access: ServiceAccess;
  addresses: Addresses;
  script: CallScript;
  now: () => number;
}

/** What a script answers that does not know the component. */
const noComponent = 404;
const withinMs = 10_000;
/** What is left of the time of a request for the way back. */
const backMs = 500;

/** Renders components of integrations. */
export class Renderer {
  readonly #parts: RendererParts;
  readonly #cache: AnswerCache<RenderOutput>;

  constructor(parts: RendererParts) {
    this.#parts = parts;
    this.#cache = createAnswerCache(parts.now);
  }

  /**
   * Renders a component, or has it act. `field`: how a refusal names a field of the request.
   * @throws AppError `not_found`, `forbidden`, `sso_required`, and what `CallScript` refuses with
   */
  async render(
    call: Call,
    integration: StoredIntegration,
    request: RenderRequest,
    field: (name: string) => string,
  ): Promise<RenderOutput> {
    const { access } = this.#parts;
    const rendering = { access, caller: call.principal, field: (name: string) => field(`context.${name}`) };
    const place = await findRenderPlace(call, rendering, integration, request.context);
    if (call.principal.kind === 'visitor') requireOpening(integration, request, field);
    const own = await readOwnProps(call, this.#parts, call.principal, place);
    const props = { ...without(request.props, ownNames), ...own.forScript };
    const keys = await this.#keysOf(call, place, request);
    const cached = keys && (this.#cache.get(keys.shared) ?? this.#cache.get(keys.own));
    if (cached !== undefined && !(await isDeveloped(call, integration, place.installation.organization))) return cached;
    const { output, bytes, reuse } = await this.#call(call, place, { ...request, props });
    const shown = await this.#opened(call, place, withOwn(output, own));
    if (keys !== undefined && reuse !== undefined)
      this.#cache.set(reuse.isPrivate ? keys.own : keys.shared, shown, { size: bytes, ttl: reuse.forMs });
    return shown;
  }

  async #call(call: Call, { installation, integration, target }: RenderPlace, request: RenderRequest) {
    const user = call.principal.kind === 'user' ? call.principal.id : undefined;
    let output: RenderOutput | undefined;
    const answer = await this.#parts.script.run({
      integration: integration._id,
      installation: installation._id,
      organization: installation.organization,
      target,
      type: 'ui_render',
      event: { ...(user === undefined ? {} : { auth: { userId: user } }), ...request },
      user,
      deadlineMs: Math.max(1, Math.min(withinMs, call.deadline - this.#parts.now() - backMs)),
      repeat: 'alone',
      fails: (status) => status >= 400 && status !== noComponent,
      refuses: ({ status, body }) => {
        const read = status === noComponent ? undefined : outputOf(body);
        if (read instanceof AppError) return read;
        output = read;
        return undefined;
      },
    });
    if (output === undefined) throw new AppError('not_found', [], { message: 'The integration has no such component' });
    return { output, bytes: answer.body.length, reuse: reuseOf(answer) };
  }

  /** Where somebody configures an installation, they may log in for it. */
  async #opened(call: Call, place: RenderPlace, output: RenderOutput): Promise<RenderOutput> {
    if (!place.isConfiguration || call.principal.kind !== 'user' || output.type !== 'element') return output;
    return { ...output, element: await withOneTimeLinks(call, this.#parts.addresses, place, output.element) };
  }

  /** What an answer depends on; `undefined` where nothing is shown again: for actions, and where one configures. */
  async #keysOf(
    { principal, store }: Call,
    { installation, integration, target, isConfiguration }: RenderPlace,
    { componentId, props, state, context, action }: RenderRequest,
  ): Promise<{ shared: string; own: string } | undefined> {
    if (isConfiguration || action !== undefined || target === null) return undefined;
    const entry = await store.read(targetEntries).byId(entryKey(installation._id, target));
    const configured = [installation._id, installation.configuration, entry?.configuration ?? null];
    const of = [integration._id, integration.version, ...configured, componentId, props, state ?? null, context];
    return { shared: digest(of), own: digest([...of, principal.id]) };
  }
}

function digest(of: unknown): string {
  return createHash('sha256').update(canonical(of)).digest('base64url');
}

function outputOf(body: Uint8Array): RenderOutput | AppError {
  try {
    return renderedIn(body);
  } catch (error) {
    if (!(error instanceof MalformedElement)) throw error;
    return new AppError('integration_failed', [], { message: error.message });
  }
}

/** The props of a component come back from the script: what the caller may not see of them is taken out. */
function withOwn(output: RenderOutput, { forCaller }: OwnProps): RenderOutput {
  if (output.type === 'complete') return output;
  return { ...output, props: { ...without(output.props, ownNames), ...forCaller } };
}

function without(props: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(props).filter(([name]) => !names.includes(name)));
}

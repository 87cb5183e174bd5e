import type { ServiceAccess } from '@scriptorium/access';
import { AppError, blaming, endpointBounds, endpointHost } from '@scriptorium/contracts';
import type { Scope, ServiceContext } from '@scriptorium/platform';
import type { IncomingMessage } from 'node:http';
import type { Addresses } from '../addresses/index.js';
import { isDeveloped } from '../dev-mode/index.js';
import type { CallScript } from '../dispatch/index.js';
import { findInstallation, statusOf, type Target } from '../installations/index.js';
import { isThere } from '../places/index.js';
import { requireIntegration, type StoredIntegration } from '../publishing/index.js';
import { createAnswerCache, reuseOf, type AnswerCache, type ScriptAnswer } from '../scripts/index.js';
import { isSelected } from '../targets/index.js';
import { answerHeaders } from './answer-headers.js';
import { endpointPath, type EndpointPath } from './endpoint-path.js';
import { openOneTimeAddress, refuseForeignLogin, type PlainAnswer } from './login-guard.process.js';
import { RatePerSecond } from './rate.js';
import { bodyOf } from './request-body.process.js';
import { requestHeaders, requestMethod } from './request-headers.js';
import { PublishedScripts } from './published-script.process.js';
import { sendToLogin, type VisitorLogin } from './visitor-login.process.js';

export interface EndpointParts {
  context: ServiceContext;
  access: ServiceAccess;
  addresses: Addresses;
  callScript: Pick<CallScript, 'run'>;
}

/** Who answers: an integration, or an installation of it, on a space or site if there is one. */
interface Asked {
  integration: StoredIntegration;
  installation: string | null;
  /** That has it installed, or publishes it where it answers as such. */
  organization: string;
  target: Target | null;
  isContent: boolean;
}

/** The request of a client, and how its body is asked for. */
export interface EndpointRequest {
  request: IncomingMessage;
  proceed: () => void;
}

const deadlineMs = 30_000;
/** A body that comes slower would keep others from being answered. */
const bodyWithinMs = 15_000;
const mostPerSecond = 100;
/** What a script that throws answers; any other status is its own. */
const thrown = 500;
/** Bytes that a kept answer takes besides its body. */
const overhead = 1_024;

/** Answers requests to public addresses of integrations: by their scripts, with what they may answer. */
export class EndpointRequests {
  readonly #parts: EndpointParts;
  readonly #cache: AnswerCache<ScriptAnswer>;
  readonly #rate: RatePerSecond;
  readonly #scripts: PublishedScripts;

  constructor(parts: EndpointParts) {
    this.#parts = parts;
    const now = (): number => parts.context.now();
    this.#cache = createAnswerCache(now);
    this.#rate = new RatePerSecond(mostPerSecond, now);
    this.#scripts = new PublishedScripts({ ...parts, now, count: (installation) => this.#count(installation) });
  }

  /** @throws AppError `not_found`, `misdirected`, `rate_limited`, `too_large`, `request_timeout`, and those of calls */
  async answer({ request, proceed }: EndpointRequest): Promise<PlainAnswer> {
    const { addresses } = this.#parts;
    const { method = 'GET', url = '' } = request;
    const path = endpointPath(url);
    if (path === undefined) throw new AppError('not_found');
    const scope = this.#scope();
    if (path.kind === 'script') {
      this.#requireHost(request, path.name);
      return this.#scripts.answer(scope, { ...path, method });
    }
    const integration = await requireIntegration(scope, path.name);
    this.#requireHost(request, path.name);
    if (path.kind === 'callback')
      return openOneTimeAddress(scope, addresses, { integration, token: path.token, method });
    if (path.kind === 'visitor-login') return this.#signIn(scope, { ...path, integration, method, url });
    const asked = await this.#find(scope, integration, path);
    this.#count(asked.installation ?? integration._id);
    const refused = await refuseForeignLogin(scope, addresses, integration, request);
    return refused ?? this.#shown(integration, await this.#ask(scope, asked, { request, proceed }));
  }

  #scope(): Scope {
    const operation = 'answer_endpoint';
    const { context } = this.#parts;
    const actor = { kind: 'system', id: operation };
    return context.scope(context.store.scope({ actor, organization: null, operation, correlation: operation }));
  }

  /** Another host would be an origin that integrations share. */
  #requireHost({ headers }: IncomingMessage, name: string): void {
    const { addresses } = this.#parts;
    if (addresses.isShared) return;
    const given = URL.parse(`http://${String(headers[endpointHost] ?? '')}`)?.hostname;
    if (given === new URL(addresses.origin(name)).hostname) return;
    throw blaming('misdirected', 'headers.host', 'This integration has another host name');
  }

  /** @throws AppError `rate_limited` */
  #count(owner: string): void {
    if (this.#rate.take(owner)) return;
    throw new AppError('rate_limited', [], { message: `At most ${mostPerSecond} requests a second`, retryAfter: 1 });
  }

  async #signIn(scope: Scope, login: VisitorLogin): Promise<PlainAnswer> {
    this.#count(login.installation);
    const sent = await sendToLogin(scope, this.#parts, login);
    return 'refused' in sent ? sent.refused : this.#shown(login.integration, sent.answer);
  }

  async #find(
    scope: Scope,
    integration: StoredIntegration,
    path: Exclude<EndpointPath, { kind: 'callback' | 'script' | 'visitor-login' }>,
  ): Promise<Asked> {
    const isContent = path.kind === 'content';
    if (path.kind !== 'installation')
      return { integration, installation: null, organization: integration.organization, target: null, isContent };
    const { name: integrationName, installation: installationId, target } = path;
    const found = await findInstallation(scope, { integrationName, installationId });
    if (found === null || statusOf(found) === 'paused') throw new AppError('not_found');
    const { organization } = found.installation;
    if (target !== null) {
      const isHere = isSelected(found, target) && (await isThere(scope, this.#parts.access, organization, target));
      if (!isHere) throw new AppError('not_found');
    }
    return { integration, installation: installationId, organization, target, isContent };
  }

  async #ask(scope: Scope, asked: Asked, { request, proceed }: EndpointRequest): Promise<ScriptAnswer> {
    const { headers, url = '' } = request;
    const { integration, installation, organization, target } = asked;
    const key =
      asked.isContent && isForEverybody(request) ? `${integration._id}/${integration.version}/${url}` : undefined;
    const known = key === undefined ? undefined : this.#cache.get(key);
    if (known !== undefined && !(await isDeveloped(scope, integration, installation === null ? null : organization)))
      return known;
    const answer = await this.#parts.callScript.run({
      integration: integration._id,
      installation,
      organization,
      target,
      type: 'fetch',
      event: {
        request: {
          method: requestMethod(request.method ?? 'GET'),
          // It begins as the address in the environment does: scripts compare them.
          url: `${this.#parts.addresses.origin(integration.name)}${url}`,
          headers: requestHeaders(headers),
        },
      },
      fetchBody: () => {
        proceed();
        return bodyOf(request, { most: endpointBounds.bodyBytes, withinMs: bodyWithinMs });
      },
      deadlineMs,
      // A request may have changed something.
      repeat: 'never',
      fails: (status) => status === thrown,
    });
    const reuse = answer.status === 200 ? reuseOf(answer) : undefined;
    if (key !== undefined && reuse?.isPrivate === false)
      this.#cache.set(key, answer, { size: answer.body.length + key.length + overhead, ttl: reuse.forMs });
    return answer;
  }

  #shown({ name, contentSecurityPolicy: policy }: StoredIntegration, answer: ScriptAnswer): PlainAnswer {
    const { isShared } = this.#parts.addresses;
    const headers = answerHeaders(answer.headers, { path: `/v1/integrations/${name}`, isShared, policy });
    return { status: answer.status, headers, body: answer.body };
  }
}

/** Whether nothing in a request says who sends it. */
function isForEverybody({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.cookie === undefined && headers.authorization === undefined;
}

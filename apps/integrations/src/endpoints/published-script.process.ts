import type { ServiceAccess } from '@scriptorium/access';
import { AppError, policyText } from '@scriptorium/contracts';
import { publishedScriptVersion, type Scope } from '@scriptorium/platform';
import type { CallScript } from '../dispatch/index.js';
import { isDeveloped } from '../dev-mode/index.js';
import { entryKey, findInstallation, targetEntries, type FoundInstallation } from '../installations/index.js';
import type { StoredIntegration } from '../publishing/index.js';
import { createAnswerCache, reuseOf, type AnswerCache, type ScriptAnswer } from '../scripts/index.js';
import type { PlainAnswer } from './login-guard.process.js';
import { stateOnSite } from './site-state.queries.js';

/** A script that a page of a site asks for. */
export interface AskedScript {
  /** The name of the integration, which may be published no more. */
  name: string;
  installation: string;
  site: string;
  /** Of the integration and of its configurations, as the address has it. */
  version: string;
  method: string;
}

interface Parts {
  access: ServiceAccess;
  callScript: Pick<CallScript, 'run'>;
  now: () => number;
  /** Counts a call of an installation. @throws AppError `rate_limited` */
  count: (installation: string) => void;
}

/** The text of a script, and for how many ms everybody may keep it. */
interface KeptScript {
  body: Buffer;
  forMs: number;
}

const deadlineMs = 10_000;
/** Bytes that a kept script takes besides its text. */
const overhead = 512;
const nothing = Buffer.from('/* not available */\n');
const nothingShown = shown({ contentSecurityPolicy: null }, nothing, 0);

/** Answers the scripts that integrations put on pages of sites. */
export class PublishedScripts {
  readonly #parts: Parts;
  readonly #kept: AnswerCache<KeptScript>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#kept = createAnswerCache(parts.now);
  }

  /**
   * The text of a script. Whatever is wrong with an integration, it is an empty script: a page never breaks by it.
   * @throws AppError `method_not_allowed`
   */
  async answer(scope: Scope, asked: AskedScript): Promise<PlainAnswer> {
    const { name, installation, site, method } = asked;
    if (method !== 'GET' && method !== 'HEAD') throw new AppError('method_not_allowed');
    try {
      const found = await findInstallation(scope, { integrationName: name, installationId: installation });
      if (found === null) return nothingShown;
      const state = await stateOnSite(scope, this.#parts.access, { found, site, needs: 'site:script:inject' });
      return state === 'ready' ? await this.#scriptOf(scope, found, asked) : nothingShown;
    } catch (error) {
      if (error instanceof AppError && error.reason !== 'unexpected') return nothingShown;
      throw error;
    }
  }

  /** A page that was made before something changed asks for what was: it gets what is, which nobody keeps then. */
  async #scriptOf(scope: Scope, found: FoundInstallation, { site, version }: AskedScript): Promise<PlainAnswer> {
    const { installation, integration } = found;
    const present = await versionOf(scope, found, site);
    const key = `${installation._id}/${site}/${present}`;
    const kept = this.#kept.get(key);
    const isKept = kept !== undefined && !(await isDeveloped(scope, integration, installation.organization));
    const script = isKept ? kept : await this.#call(found, site);
    if (!isKept && script.forMs > 0 && present === (await versionOf(scope, found, site)))
      this.#kept.set(key, script, { size: script.body.length + key.length + overhead, ttl: script.forMs });
    return shown(integration, script.body, version === present ? script.forMs : 0);
  }

  async #call({ installation, integration }: FoundInstallation, site: string): Promise<KeptScript> {
    this.#parts.count(installation._id);
    const answer = await this.#parts.callScript.run({
      integration: integration._id,
      installation: installation._id,
      organization: installation.organization,
      target: { kind: 'site', id: site },
      type: 'fetch_published_script',
      event: {},
      deadlineMs,
      repeat: 'alone',
      // A redirect is not a script.
      refuses: ({ status }) => (status < 300 ? undefined : new AppError('integration_failed')),
    });
    return { body: answer.body, forMs: reusedFor(answer) };
  }
}

async function versionOf(
  { store }: Pick<Scope, 'store'>,
  { installation, integration }: FoundInstallation,
  site: string,
): Promise<string> {
  const entry = await store.read(targetEntries).byId(entryKey(installation._id, { kind: 'site', id: site }));
  const configurations = [installation.configuration, entry?.configuration ?? null];
  return publishedScriptVersion({ version: integration.version, configurations });
}

/** For how many ms everybody may keep a script. */
function reusedFor(answer: ScriptAnswer): number {
  const reuse = reuseOf(answer);
  return reuse === undefined || reuse.isPrivate ? 0 : reuse.forMs;
}

function shown(
  { contentSecurityPolicy }: Pick<StoredIntegration, 'contentSecurityPolicy'>,
  body: Buffer,
  forMs: number,
): PlainAnswer {
  const policy = policyText(contentSecurityPolicy);
  return {
    status: 200,
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': forMs > 0 ? `public, max-age=${Math.floor(forMs / 1_000)}` : 'no-store',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      ...(policy === undefined ? {} : { 'content-security-policy': policy }),
    },
    body,
  };
}

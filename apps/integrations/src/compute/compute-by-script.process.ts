import { activeInstallations } from '@scriptorium/access';
import { AppError, blaming, type computeContent, type Principal } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import type * as z from 'zod';
import type { CallScript } from '../dispatch/index.js';
import { findByName, type StoredIntegration } from '../publishing/index.js';
import { computedAnswer } from './computed-answer.js';

type Wanted = z.output<(typeof computeContent)['input']>;

const withinMs = 10_000;
/** What is left of the time of a request for the way back. */
const backMs = 500;
/** What a script is given says what is in the space. */
const scope = 'space:content:read';

/**
 * Has the script of an integration compute content for a space on which it is active.
 * @throws AppError that `computeContent` names
 */
export async function computeByScript(
  call: Call<Principal | null>,
  script: CallScript,
  wanted: Wanted,
): Promise<{ version: number; answer: string }> {
  const { installation, integration } = await requireSource(call, wanted);
  const { space, source, type, props, dependencies } = wanted;
  let answer = '';
  await script.run({
    integration: integration._id,
    installation,
    organization: wanted.organization,
    target: { kind: 'space', id: space },
    type,
    event: { sourceId: source, props, dependencies },
    deadlineMs: Math.max(1, Math.min(withinMs, (call.store.context.deadline ?? Infinity) - call.now() - backMs)),
    repeat: 'alone',
    refuses: ({ body }) => {
      const read = answerOf(type, body);
      if (read instanceof AppError) return read;
      answer = read;
      return undefined;
    },
  });
  return { version: integration.version, answer };
}

function answerOf(...[type, body]: Parameters<typeof computedAnswer>): string | AppError {
  try {
    return computedAnswer(type, body);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** What computes, as far as it may. */
async function requireSource(
  { store }: Pick<Call, 'store'>,
  { organization, space, integration: name, source, version }: Wanted,
): Promise<{ integration: StoredIntegration; installation: string }> {
  const integration = await findByName({ store }, name);
  if (integration === null) throw blaming('not_found', 'integration', `Nothing is published as ${name}`);
  if (integration.version < version) throw new AppError('unavailable', [], { retryAfter: 1 });
  if (!integration.scopes.includes(scope))
    throw blaming('forbidden', 'integration', `The integration needs the scope ${scope}`);
  const active = await activeInstallations(store, organization, { scope, target: { kind: 'space', id: space } });
  const installation = active.find(({ reach }) => reach.integration === integration._id);
  if (installation === undefined)
    throw blaming('not_found', 'integration', 'The integration is not active on the space');
  if (!integration.contentSources.some(({ id }) => id === source))
    throw blaming('not_found', 'source', `The integration declares no content source ${source}`);
  return { integration, installation: installation.id };
}

import type { StoreScope } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import {
  countTunnelFailure,
  forgetTunnelFailures,
  leaveDevMode,
  tunnelFor,
  type TunnelClient,
} from '../dev-mode/index.js';
import type { AssetStore } from '../publishing/index.js';
import { envelopeOf, type CallResult, type RuntimeClient } from '../scripts/index.js';
import type { Facts } from './environment.process.js';
import { signatureHeaders } from '../sealed/index.js';

export interface SendingParts {
  context: Pick<ServiceContext, 'now' | 'database' | 'keys' | 'logger'>;
  assets: AssetStore;
  runtime: RuntimeClient;
  tunnels: TunnelClient;
}

/** How a call ended. `isDev`: it was sent to the developer of the integration. */
export type SentResult = CallResult & { isDev?: boolean };

/** What is sent to a script. */
export interface Sending {
  facts: Facts;
  store: StoreScope;
  /** The id of the event, which is signed. */
  id: string;
  event: object;
  /** The body of a request that the script answers. */
  fetchBody?: Uint8Array | undefined;
  /** Where it is installed; `null`: it is for no installation. */
  installedIn: string | null;
  deadlineMs: number;
  repeat: 'alone' | 'never';
}

/** Calls without an answer, one after the other, after which a development mode ends. */
const mostTunnelFailures = 20;

/** Sends an event to the published version of a script, or to its developer, and waits for the answer. */
export async function sendToScript(parts: SendingParts, sending: Sending): Promise<SentResult> {
  const { facts, store, id, event, fetchBody, installedIn, deadlineMs, repeat } = sending;
  const { context, assets, runtime } = parts;
  const { integration, environment, signing } = facts;
  const { _id: owner, version, script } = integration;
  const envelope = envelopeOf(event, environment, fetchBody);
  const seconds = Math.floor(context.now() / 1000);
  const headers = signatureHeaders([signing], { id, seconds, body: envelope.body });
  const tunnel = await tunnelFor(
    { store, database: context.database, keys: context.keys, now: () => context.now() },
    integration,
    installedIn,
  );
  if (tunnel !== undefined) {
    const result = await parts.tunnels.run({ url: tunnel.url, envelope, headers, deadlineMs });
    await countTunnel(parts, { store, integration, until: tunnel.until, hasFailed: 'failure' in result });
    return { ...result, isDev: true };
  }
  return runtime.run({
    integration: owner,
    version,
    // Where organizations have processes of their own.
    organization: installedIn ?? integration.organization,
    script,
    source: () => assets.read(owner, script),
    envelope,
    headers,
    deadlineMs,
    repeat,
  });
}

interface Counted {
  store: StoreScope;
  integration: Facts['integration'];
  until: string;
  hasFailed: boolean;
}

/** Ends a development mode whose address gives no answers. What was sent is not sent again. */
async function countTunnel(
  { context: { database, logger } }: SendingParts,
  { store, integration: { _id: id, organization }, until, hasFailed }: Counted,
): Promise<void> {
  if (!hasFailed) return forgetTunnelFailures({ database }, id);
  if ((await countTunnelFailure({ database }, id)) < mostTunnelFailures) return;
  await leaveDevMode({ store: store.in(organization), database }, id, { reason: 'failures', of: until });
  logger.warn({ integration: id }, 'A development mode has ended, since its address gives no answers');
}

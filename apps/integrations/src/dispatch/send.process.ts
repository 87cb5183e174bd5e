import type { ServiceContext } from '@scriptorium/platform';
import type { AssetStore } from '../publishing/index.js';
import { envelopeOf, type CallResult, type RuntimeClient } from '../scripts/index.js';
import type { Facts } from './environment.process.js';
import { signatureHeaders } from './signing.process.js';

export interface SendingParts {
  context: Pick<ServiceContext, 'now'>;
  assets: AssetStore;
  runtime: RuntimeClient;
}

/** What is sent to a script. */
export interface Sending {
  facts: Facts;
  /** The id of the event, which is signed. */
  id: string;
  event: object;
  /** The body of a request that the script answers. */
  fetchBody?: Uint8Array | undefined;
  /** In whose process the script runs, where organizations have their own. */
  organization: string;
  deadlineMs: number;
  repeat: 'alone' | 'never';
}

/** Sends an event to the published version of a script, and waits for its answer. */
export async function sendToScript(
  { context, assets, runtime }: SendingParts,
  { facts, id, event, fetchBody, organization, deadlineMs, repeat }: Sending,
): Promise<CallResult> {
  const { integration, environment, signing } = facts;
  const { _id: owner, version, script } = integration;
  const envelope = envelopeOf(event, environment, fetchBody);
  const seconds = Math.floor(context.now() / 1000);
  return runtime.run({
    integration: owner,
    version,
    organization,
    script,
    source: () => assets.read(owner, script),
    envelope,
    headers: signatureHeaders(signing, { id, seconds, body: envelope.body }),
    deadlineMs,
    repeat,
  });
}

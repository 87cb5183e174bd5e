import { createOutbound, parseNetworks, type Outbound, type ServiceContext } from '@scriptorium/platform';
import type { CallResult, Envelope } from '../scripts/index.js';
import { isLocalApi, isOfThisMachine, tunnelTarget } from './tunnel-address.js';

const answerBytes = 10 * 1024 * 1024;

/** What is sent to a developer. */
export interface TunnelCall {
  url: string;
  envelope: Envelope;
  headers: Readonly<Record<string, string>>;
  deadlineMs: number;
}

/** Sends calls to developers in the place of scripts: to public addresses, or to a port of this machine. */
export class TunnelClient {
  readonly #context: Pick<ServiceContext, 'outbound' | 'now' | 'urls'>;
  readonly #thisMachine: Outbound = createOutbound({ allowed: parseNetworks('127.0.0.1') });

  constructor(context: Pick<ServiceContext, 'outbound' | 'now' | 'urls'>) {
    this.#context = context;
  }

  /** Sends a call once. `reason` of a failure: `tunnel_failed`. */
  async run({ url, envelope, headers, deadlineMs }: TunnelCall): Promise<CallResult> {
    const { outbound, now, urls } = this.#context;
    const isLocal = isLocalApi(urls.api) && isOfThisMachine(new URL(url));
    const began = now();
    try {
      const answer = await (isLocal ? this.#thisMachine : outbound).fetch({
        url: tunnelTarget(url),
        field: 'body.tunnelUrl',
        method: 'POST',
        headers: { ...headers, 'content-type': envelope.contentType },
        body: envelope.body,
        maxBytes: answerBytes,
        withinMs: deadlineMs,
        redirects: 0,
      });
      const pairs = Object.entries(answer.headers);
      return {
        answer: { status: answer.status, headers: pairs, body: answer.body },
        trace: traceOf('ok', now() - began),
      };
    } catch (error) {
      const { message } = error as Error;
      return { failure: { reason: 'tunnel_failed', message }, trace: traceOf('failed', now() - began) };
    }
  }
}

/** What the developer's script wrote appears where it runs. */
function traceOf(outcome: string, durationMs: number): CallResult['trace'] {
  return () => Promise.resolve({ outcome, durationMs, logs: [], exceptions: [], requests: [], truncated: false });
}

import { OpenAPISpec } from '@scriptorium/contracts';
import { eventually, type Answer, type Person, type Rig } from './rig.js';

interface SendOptions {
  body?: unknown;
  by?: Person;
  headers?: Record<string, string>;
}

/** Requests about the specifications of an organization. */
export function specsOf(rig: Pick<Rig, 'send' | 'organization'>, organization = rig.organization) {
  const send = (method: string, rest: string, { body, by, headers }: SendOptions = {}): Promise<Answer> =>
    rig.send(method, `/orgs/${organization}/openapi${rest}`, {
      ...(body !== undefined && { body }),
      ...(by && { token: by.token }),
      ...(headers && { headers }),
    });
  const get = async (slug: string): Promise<OpenAPISpec> => OpenAPISpec.parse((await send('GET', `/${slug}`)).body);
  const put = (slug: string, source: object, headers: Record<string, string> = {}) =>
    send('PUT', `/${slug}`, { body: { source }, headers });
  /** The specification once it was processed after a time. */
  const processed = async (slug: string, after?: string, withinMs = 30_000): Promise<OpenAPISpec> => {
    await eventually(async () => {
      const { processingState, lastProcessedAt } = await get(slug);
      return processingState === 'complete' && lastProcessedAt !== after;
    }, withinMs);
    return get(slug);
  };
  /** Gives a source, and waits until it is processed. */
  const given = async (slug: string, source: object): Promise<OpenAPISpec> => {
    const answer = await put(slug, source, { prefer: 'wait=25' });
    if (answer.status >= 300) throw new Error(`PUT ${slug} was answered ${answer.status}`);
    return processed(slug);
  };
  return { send, get, put, processed, given };
}

import { SignJWT } from 'jose';
import type { Body, InstallationRequest } from '@scriptorium/testing';
import type { Answer } from './rig.js';
import { startSiteRig, type SiteRig } from './site-rig.js';

/** What a published address leads to. */
export interface Led extends Body {
  apiToken: string;
  contextId?: string;
}

/** A rig with two spaces, in the first of which is a page for visitors who pay. */
export interface VisitorRig {
  world: SiteRig;
  first: string;
  second: string;
  /** The ids of the pages `start` and `paid`. */
  pages: Record<string, string>;
  send(method: string, path: string, body?: object, token?: string | null): Promise<Answer>;
  /** A published site with both spaces; its path, and its address. */
  publish(more?: object, spaces?: string[]): Promise<[path: string, address: string]>;
  /** Asks what an address leads to. */
  ask(url: string, visitor?: object, token?: string | null, more?: object): Promise<Answer>;
  /** `ask`, where it leads somewhere. */
  lead(url: string, visitor?: object, token?: string | null, more?: object): Promise<Led>;
  /** Gives a site claims: `plan`, and unsigned `beta`. */
  useClaims(site: string): Promise<void>;
  /** The key that signs tokens of the visitors of a site. */
  keyOf(site: string): Promise<string>;
}

const schema = {
  type: 'object',
  properties: {
    plan: { type: 'string', enum: ['free', 'paid'] },
    unsigned: { type: 'object', properties: { beta: { type: 'boolean' } } },
  },
};
const changes = [
  { operation: 'insert_page', title: 'Start', ref: 'start', document: { markdown: 'Hello worldword.' } },
  {
    operation: 'insert_page',
    title: 'Paid',
    ref: 'paid',
    condition: 'visitor.claims.plan == "paid"',
    document: { markdown: 'For payingword visitors.' },
  },
];

/** A token of a visitor with these claims. */
export function sign(key: string, claims: object, expires = '1h', alg = 'HS256'): Promise<string> {
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg })
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(key));
}

export async function startVisitorRig(more?: InstallationRequest): Promise<VisitorRig> {
  const world = await startSiteRig(undefined, more);
  const send: VisitorRig['send'] = (method, path, body, token = world.rig.owner.token) =>
    world.rig.send(method, path, { token, ...(body && { body }) });
  const done = async (...sent: Parameters<typeof send>): Promise<Answer> => {
    const answer = await send(...sent);
    if (answer.status >= 300) throw new Error(`${sent[1]} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const [first, second] = [await world.space('First'), await world.space('Second')];
  await done('PATCH', `/spaces/${first}`, { editMode: 'live' });
  const made = await done('POST', `/spaces/${first}/content`, { changes });
  const ask: VisitorRig['ask'] = (url, visitor = {}, token = null, more = {}) =>
    send('POST', '/urls/published', { url, visitor, ...more }, token);
  return {
    world,
    first,
    second,
    pages: made.body['refs'] as Record<string, string>,
    send,
    ask,
    async publish(more = {}, spaces = [first, second]) {
      const site = await world.site({ title: 'Docs', spaces, ...more });
      const { basename } = (await done('POST', `${site}/publish`)).body as { basename?: string };
      const { hostname } = (await done('GET', world.org)).body as { hostname?: string };
      return [site, `http://${String(hostname)}.sites.localhost:8080/${String(basename)}`];
    },
    async lead(url, ...more) {
      const { status, body } = await ask(url, ...more);
      if (status !== 200) throw new Error(`${url} answered ${status} ${JSON.stringify(body)}`);
      return body as Led;
    },
    async useClaims(site) {
      await done('PATCH', site, { adaptiveContent: { enabled: true } });
      await done('PUT', `${site}/adaptive-schema`, { jsonSchema: schema });
    },
    keyOf: async (site) => String((await done('GET', `${site}/publishing/auth`)).body['privateKey']),
  };
}

import { randomUUID } from 'node:crypto';
import { issueIntegrationToken } from '@scriptorium/platform/integration-token';
import { parseKeyring } from '@scriptorium/platform/keyring';
import { eventually } from '@scriptorium/testing';
import { openStore } from '@scriptorium/testing/store';
import { startRig, type Answer, type Person, type Rig } from './rig.js';

/** A rig with an organization, and people in it. */
export interface ConversationRig<R extends Pick<Rig, 'send' | 'organization'> = Rig> {
  rig: R;
  org: string;
  reader: Person;
  guest: Person;
  stranger: Person;
  send(method: string, path: string, body?: unknown, token?: string): Promise<Answer>;
  /** The same for what has to succeed. */
  done(...sent: Parameters<ConversationRig['send']>): Promise<Answer['body']>;
  /** Ingests conversations, as the owner unless a token is given; the status. */
  ingest(body: unknown, token?: string): Promise<number>;
  /** The id of the conversation with the caller's id. */
  idOf(externalId: string): Promise<string>;
}

/** A conversation of a request, with messages of a user. */
export function said(id: string, messages: string | readonly string[], more: object = {}): Record<string, unknown> {
  const bodies = typeof messages === 'string' ? [messages] : messages;
  return { id, parts: bodies.map((body) => ({ type: 'message', role: 'user', body })), ...more };
}

/** What a refusal says: status, reason and the fields that it names. */
export function refusal({ status, body }: Answer): unknown[] {
  return [status, body?.error?.reason, ...(body?.error?.details ?? []).map(({ path }) => path)];
}

export async function startConversationRig(...given: Parameters<typeof startRig>): Promise<ConversationRig> {
  return createPeople(await startRig(...given));
}

/** Creates the people of a `ConversationRig`. */
export async function createPeople<R extends Pick<Rig, 'send' | 'organization' | 'owner' | 'member' | 'person'>>(
  rig: R,
): Promise<ConversationRig<R>> {
  const org = `/orgs/${rig.organization}`;
  const send: ConversationRig['send'] = (method, path, body, token = rig.owner.token) =>
    rig.send(method, path, { token, ...(body === undefined ? {} : { body }) });
  const done: ConversationRig['done'] = async (...sent) => {
    const { status, body } = await send(...sent);
    if (status >= 300) throw new Error(`${sent[0]} ${sent[1]} answered ${status} ${JSON.stringify(body)}`);
    return body;
  };
  return {
    rig,
    org,
    reader: await rig.member('Rea Der', 'read'),
    guest: await rig.member('Gu Est', null),
    stranger: await rig.person('Stran Ger'),
    send,
    done,
    ingest: async (body, token) => (await send('POST', `${org}/conversations`, body, token)).status,
    async idOf(externalId) {
      const { items } = await done('GET', `${org}/conversations?externalId=${encodeURIComponent(externalId)}`);
      return String(items[0]?.['id']);
    },
  };
}

/** Installs an integration with these scopes in an organization: its name, the id and a token of the installation. */
export async function install(world: ConversationRig, scopes: readonly string[], organization: string) {
  const { rig } = world;
  const done: ConversationRig['done'] = (...sent) => world.done(...sent);
  const name = `support-${randomUUID().slice(0, 8)}`;
  const script = 'export default { async fetch() { return new Response("hello"); } };';
  const publication = { title: 'Support', description: 'Tells what people ask', scopes, script, organization };
  await done('POST', `/integrations/${name}`, publication);
  const installation = String((await done('POST', `/integrations/${name}/installations`, { organization }))['id']);
  const store = openStore(rig.config, 'conversations');
  try {
    const published = store.database.collection<{ _id: string; name: string; generation: number }>(
      'integration_reach_v2',
    );
    await eventually(async () => (await published.findOne({ name })) !== null);
    const { _id: integration = '', generation = 0 } = (await published.findOne({ name })) ?? {};
    const payload = { kind: 'integration', integration, generation } as const;
    const own = issueIntegrationToken(parseKeyring(rig.config.SECRET_KEYS), payload, Date.now());
    const { token } = await done('POST', `/integrations/${name}/installations/${installation}/tokens`, undefined, own);
    return { name, installation, token: String(token) };
  } finally {
    await store.stop();
  }
}

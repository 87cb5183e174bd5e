import { randomUUID } from 'node:crypto';
import { parseKeyring } from '@scriptorium/platform/keyring';
import { openStore } from '@scriptorium/testing/store';
import { tokenOfIntegration } from '../tokens/index.js';
import type { Answer, Person, Rig } from './rig.js';
import { startRig } from './rig.js';

/** A request of a person; of the owner unless told otherwise. */
type Sent = [method: string, path: string, body?: object, person?: Person];

/** A rig with an organization, and people in it. */
export interface IntegrationRig<R extends Pick<Rig, 'send' | 'organization'> = Rig> {
  rig: R;
  org: string;
  creator: Person;
  reader: Person;
  guest: Person;
  stranger: Person;
  send(...sent: Sent): Promise<Answer>;
  /** The same for what has to succeed. */
  done(...sent: Sent): Promise<Answer['body']>;
  /** Publishes an integration of the organization; its name. */
  publish(more?: object, name?: string): Promise<string>;
  /** Installs an integration in the organization; the path of the installation. */
  install(name: string, more?: object): Promise<string>;
  space(title: string): Promise<string>;
  site(title: string): Promise<string>;
}

export const script = 'export default { async fetch() { return new Response("hello"); } };';

/** What a publication has to say. */
export function publication(organization: string, more: object = {}): object {
  return { title: 'Example', description: 'An example', scopes: [], script, organization, ...more };
}

/** A name that nobody has. */
export function newName(): string {
  return `example-${randomUUID().slice(0, 8)}`;
}

export async function startIntegrationRig(...given: Parameters<typeof startRig>): Promise<IntegrationRig> {
  return createPeople(await startRig(...given));
}

/** Creates the people of an `IntegrationRig`. */
export async function createPeople<R extends Pick<Rig, 'send' | 'organization' | 'owner' | 'member' | 'person'>>(
  rig: R,
): Promise<IntegrationRig<R>> {
  const { organization } = rig;
  const [creator, reader, guest] = [
    await rig.member('Cre Ator', 'create'),
    await rig.member('Rea Der', 'read'),
    await rig.member('Gu Est', null),
  ];
  const send: IntegrationRig['send'] = (method, path, body, { token } = rig.owner) =>
    rig.send(method, path, { token, ...(body === undefined ? {} : { body }) });
  const done: IntegrationRig['done'] = async (...sent) => {
    const { status, body } = await send(...sent);
    if (status >= 300) throw new Error(`${sent[0]} ${sent[1]} answered ${status} ${JSON.stringify(body)}`);
    return body;
  };
  return {
    rig,
    org: `/orgs/${organization}`,
    creator,
    reader,
    guest,
    stranger: await rig.person('Stran Ger'),
    send,
    done,
    async publish(more = {}, name = newName()) {
      await done('POST', `/integrations/${name}`, publication(organization, more));
      return name;
    },
    async install(name, more = {}) {
      const path = `/integrations/${name}/installations`;
      return `${path}/${String((await done('POST', path, { organization, ...more }))['id'])}`;
    },
    space: async (title) => String((await done('POST', `/orgs/${organization}/spaces`, { title, empty: true }))['id']),
    site: async (title) => String((await done('POST', `/orgs/${organization}/sites`, { title }))['id']),
  };
}

/** What a refusal says: status, reason and the field it names. */
export function refusal({ status, body }: Answer): unknown[] {
  return [status, body?.error?.reason, body?.error?.details?.[0]?.path];
}

/** A token of a published integration, as its script gets one. */
export async function integrationToken({ config }: Pick<Rig, 'config'>, name: string): Promise<string> {
  const store = openStore(config, 'integrations');
  try {
    const found = await store.database.collection<{ _id: string }>('integration_reach_v2').findOne({ name });
    if (found === null) throw new Error(`Nothing is published as ${name}`);
    const { _id: integration, generation } = found as { _id: string; generation?: number };
    const issuing = { keys: parseKeyring(config.SECRET_KEYS), now: Date.now };
    return tokenOfIntegration(issuing, { integration, generation: generation ?? 0 });
  } finally {
    await store.stop();
  }
}

import { randomBytes } from 'node:crypto';
import { createPerson, type Person } from './people.js';
import { sender, type Answer, type Send } from './requests.js';

export type { Person } from './people.js';

/** How to reach what serves a rig without HTTP. */
export interface RigConfig {
  NAMESPACE: string;
  EVENTSTORE_URL: string;
  MONGODB_URL: string;
  NATS_URL: string;
  SECRET_KEYS: string;
  /** The folder of what the services write. */
  DATA_DIR: string;
}

/** One more process of a service. */
export interface Replica {
  stop(): Promise<void>;
}

/** An organization of a running installation, with an operator who is its admin, spoken to by HTTP. */
export interface Rig {
  endpoint: string;
  /** An operator, and admin of `organization`. */
  owner: Person;
  organization: string;
  /** Sends a request; the owner's token unless told otherwise. A 2xx body must fit the contract. */
  send(method: string, path: string, options?: Send): Promise<Answer>;
  /** Gets what is a text. */
  text(path: string): Promise<string>;
  /** An address of mail that no other rig has. */
  email(name: string): string;
  /** Creates a user with a token. */
  person(name: string): Promise<Person>;
  /** Creates a user and makes them a member of the organization. */
  member(name: string, role: string | null): Promise<Person>;
  /**
   * Starts one more replica of the first service, or of another one. Only where the installation is this rig's alone.
   */
  replica(service?: string): Promise<Replica>;
  config: RigConfig;
  stop(): Promise<void>;
}

/** The first user of an installation and the organization that was created with it. */
export interface FirstRun {
  owner: Person;
  organization: string;
}

/** What a rig has that speaks to an installation by HTTP. `domain`: of the addresses of the people that it creates. */
export type RigClient = Pick<Rig, 'send' | 'text' | 'email' | 'person' | 'member'>;

/** Speaks to an installation as the owner of an organization. */
export function clientOf(endpoint: string, { owner, organization }: FirstRun, domain = 'example.org'): RigClient {
  const send = sender(endpoint);
  const asOwner: Rig['send'] = (method, path, options = {}) => send(method, path, { token: owner.token, ...options });
  const email: Rig['email'] = (name) => `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}@${domain}`;
  const person: Rig['person'] = (name) => createPerson(asOwner, { name, email: email(name) });
  return {
    send: asOwner,
    text: async (path) => (await fetch(`${endpoint}/v1${path}`)).text(),
    email,
    person,
    async member(name, role) {
      const someone = await person(name);
      await asOwner('POST', `/orgs/${organization}/invites`, { body: { emails: [someone.email], role } });
      return someone;
    },
  };
}

/** Creates an organization of its own, with an operator who owns it, in an installation that other specs use, too. */
export async function createTenant(endpoint: string, first: FirstRun): Promise<FirstRun & RigClient> {
  const domain = `${randomBytes(5).toString('hex')}.example.org`;
  const operator = clientOf(endpoint, first, domain);
  const owner = await createPerson(operator.send, {
    name: 'Olga Owner',
    email: operator.email('Olga Owner'),
    operator: true,
  });
  const { body } = await operator.send('POST', '/orgs', {
    token: owner.token,
    body: { title: 'First Organization' },
  });
  const tenant = { owner, organization: String(body['id']) };
  return { ...tenant, ...clientOf(endpoint, tenant, domain) };
}

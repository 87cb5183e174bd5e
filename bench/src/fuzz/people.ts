import { callOperation, identityContract, type Client } from '@scriptorium/contracts';
import { Pool } from 'undici';
import type { Actor } from './requests.js';
import { patientClient } from '../product/patient-client.js';

/** What an actor puts into its requests to say who it is. */
export type Credentials = Readonly<Record<string, string>>;

export interface Keeper {
  endpoint: string;
  token: string;
  user: string;
}

/** Those who make the requests of one round, and the ids that they may know. */
export interface People {
  credentials: Readonly<Record<Actor, Credentials>>;
  /** By the name of the path parameter. */
  ids: Readonly<Record<string, readonly string[]>>;
}

const password = 'correct horse battery staple 42';
let founded = 0;

/** Founds an organization with people of all roles. What earlier rounds deleted or revoked is replaced by it. */
export async function foundPeople(keeper: Keeper): Promise<People> {
  const client = patientClient(keeper);
  const round = (founded += 1);
  const make = async (name: string, more: { operator?: boolean; password?: string } = {}) => {
    const email = `${name}.${round}.${Date.now()}@example.org`;
    const { id } = await client.createUser({ body: { email, displayName: name, emailVerified: true, ...more } });
    return { id, email };
  };
  const token = async ({ id }: Person): Promise<string> =>
    (await client.createTokenForUser({ params: { userId: id }, body: { label: 'fuzz' } })).token ?? '';
  const [operator, admin, editor, reader, guest, stranger] = await Promise.all([
    make('operator', { operator: true }),
    make('admin', { password }),
    make('editor'),
    make('reader'),
    make('guest'),
    make('stranger'),
  ]);
  const { items } = await callOperation(keeper, identityContract.operator.consumers, { query: { limit: 100 } });
  const service = await client.createUser({
    body: { email: `service.${round}.${Date.now()}@example.org`, displayName: 'service', kind: 'service' },
  });
  const people = [operator, admin, editor, reader, guest, stranger];
  const ids = {
    ...(await foundOrganization(client, `Round ${round}`, { admin, editor, reader, guest })),
    userId: [...people.map(({ id }) => id), service.id],
    email: people.map(({ email }) => email),
    password: [password],
    projection: items.filter(({ kind }) => kind === 'projection').map(({ name }) => name),
  };
  const ofAdmin = await token(admin);
  const limited = await patientClient({ endpoint: keeper.endpoint, token: ofAdmin }).createUserToken({
    body: { label: 'limited', scopes: ['organization:read'] },
  });
  const credentials = {
    operator: bearer(await token(operator)),
    admin: bearer(ofAdmin),
    editor: bearer(await token(editor)),
    reader: bearer(await token(reader)),
    guest: bearer(await token(guest)),
    stranger: bearer(await token(stranger)),
    limited: bearer(limited.token ?? ''),
    session: await signIn(keeper.endpoint, admin.email),
    nobody: {},
    liar: bearer('scr_pat_abcdefgh_nonsense'),
  };
  return { credentials, ids };
}

function bearer(token: string): Credentials {
  return { authorization: `Bearer ${token}` };
}

interface Person {
  id: string;
  email: string;
}

async function foundOrganization(
  client: Client,
  title: string,
  people: Record<'admin' | 'editor' | 'reader' | 'guest', Person>,
) {
  const { id, hostname } = await client.createOrganization({ body: { title } });
  const params = { organizationId: id };
  const emails = [
    { email: people.admin.email, role: 'admin' as const },
    { email: people.editor.email, role: 'edit' as const },
    { email: people.reader.email, role: 'read' as const },
    { email: people.guest.email },
  ];
  await client.inviteUsersToOrganization({ params, body: { emails } });
  const team = await client.createOrganizationTeam({ params, body: { title: 'Team', members: [people.editor.id] } });
  const invite = await client.createOrganizationInvite({ params, body: { role: 'read' } });
  const provider = await client.createOrganizationSAMLProvider({ params, body: { label: 'Provider' } });
  return {
    organizationId: [id],
    subdomain: [hostname],
    teamId: [team.id],
    inviteId: [invite.id],
    samlProviderId: [provider.id],
  };
}

async function signIn(endpoint: string, email: string): Promise<Credentials> {
  const pool = new Pool(endpoint);
  try {
    const { headers, body } = await pool.request({
      method: 'POST',
      path: '/v1/auth/login',
      headers: { 'content-type': 'application/json', origin: endpoint },
      body: JSON.stringify({ email, password }),
    });
    await body.dump();
    return { cookie: String(headers['set-cookie']).split(';')[0] ?? '', origin: endpoint };
  } finally {
    await pool.close();
  }
}

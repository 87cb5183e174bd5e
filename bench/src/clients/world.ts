import type { Client } from '@scriptorium/contracts';
import type { Product } from '../product/product.js';
import { officialClient, type Call } from './official.js';
import type { Observer } from './observer.js';
import { patientClient } from '../product/patient-client.js';

/** Somebody with their own client. */
export interface Person {
  id: string;
  email: string;
  call: Call;
}

/** An organization to be driven, and those who drive it. */
export interface World {
  organization: string;
  /** A second organization of the same admin. */
  other: string;
  hostname: string;
  /** A domain of addresses that nobody else has. */
  domain: string;
  /** An address that answers with a page. */
  page: string;
  people: Record<'admin' | 'editor' | 'reader' | 'guest' | 'stranger' | 'colleague', Person>;
  /** The product's own client as the admin, for what the other one does not have. */
  own: Client;
  /** Calls an operation as the admin. */
  call: Call;
  /** Calls operations with another token. */
  withToken: (token: string) => Call;
}

export async function createWorld(
  product: Product,
  observers: readonly Observer[],
  { name, page }: { name: string; page: string },
): Promise<World> {
  const { endpoint } = product;
  const keeper = patientClient(product);
  const domain = `${name}.example.org`;
  const withToken = (token: string): Call => officialClient(endpoint, token, observers);
  const tokens = new Map<string, string>();
  const person = async (who: string, more: { operator?: boolean } = {}): Promise<Person> => {
    const email = `${who}@${domain}`;
    const { id } = await keeper.createUser({ body: { email, displayName: who, emailVerified: true, ...more } });
    const { token = '' } = await keeper.createTokenForUser({ params: { userId: id }, body: { label: 'clients' } });
    tokens.set(who, token);
    return { id, email, call: withToken(token) };
  };
  const people = {
    admin: await person('admin', { operator: true }),
    editor: await person('editor'),
    reader: await person('reader'),
    guest: await person('guest'),
    stranger: await person('stranger'),
    colleague: await person('colleague'),
  };
  const own = patientClient({ endpoint, token: tokens.get('admin') ?? '' });
  const { id: organization, hostname } = await own.createOrganization({ body: { title: `Organization ${name}` } });
  const { id: other } = await own.createOrganization({ body: { title: `Other ${name}` } });
  return { organization, other, hostname, domain, page, people, own, call: people.admin.call, withToken };
}

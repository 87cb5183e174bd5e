import type { ErrorDetail } from '@scriptorium/contracts';
import { keyed, type Scope } from '@scriptorium/platform';
import { memberKey, members, users } from '../../organization-read-models/index.js';

interface FoundMember {
  user: string;
  membership: string;
}

/** The members that were found, by the name that was asked for: a user id or an e-mail address. */
export interface FoundMembers {
  members: ReadonlyMap<string, FoundMember>;
  /** The names that are no members, each with its index in the list at `path`. */
  missing(path: string): ErrorDetail[];
  /** The same for e-mail addresses only. */
  missingAddresses(path: string): ErrorDetail[];
}

/** Finds members of an organization by user id or e-mail address. */
export async function findMembers(scope: Scope, organization: string, names: readonly string[]): Promise<FoundMembers> {
  const ids = await idsOf(scope, organization, names);
  const docs = keyed(
    await scope.store.read(members).byIds([...ids.values()].map((user) => memberKey(organization, user))),
  );
  const found = new Map<string, FoundMember>();
  for (const [name, user] of ids) {
    const doc = docs.get(memberKey(organization, user));
    if (doc !== undefined) found.set(name, { user, membership: doc.membership });
  }
  const missing = (path: string, asked: (name: string) => boolean): ErrorDetail[] =>
    names.flatMap((name, index) =>
      found.has(name) || !asked(name)
        ? []
        : [{ path: `${path}[${index}]`, message: `${name} is not a member of the organization` }],
    );
  return {
    members: found,
    missing: (path) => missing(path, () => true),
    missingAddresses: (path) => missing(path, isAddress),
  };
}

function isAddress(name: string): boolean {
  return name.includes('@');
}

async function idsOf(scope: Scope, organization: string, names: readonly string[]): Promise<Map<string, string>> {
  const ids = new Map(names.filter((name) => !isAddress(name)).map((name) => [name, name]));
  const addresses = names.filter(isAddress);
  if (addresses.length === 0) return ids;
  const wanted = [...new Set(addresses.map((address) => address.toLowerCase()))];
  const docs = await scope.store
    .read(users)
    .find({ email: { $in: wanted }, organizations: organization })
    .toArray();
  const byAddress = new Map(docs.map(({ email, _id }) => [email, _id]));
  for (const address of addresses) {
    const id = byAddress.get(address.toLowerCase());
    if (id !== undefined) ids.set(address, id);
  }
  return ids;
}

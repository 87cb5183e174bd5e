import { AppError, type Principal } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { readQuery, selected, type SCIMAnswer } from '../protocol/answers.js';
import { pageOf } from '../protocol/paged.js';
import { patched, readResource } from '../protocol/patch.js';
import { userKind, type Fields } from '../protocol/resource.js';
import type { ResourceRequest, SCIMPlace } from '../protocol/request.js';
import { readChangedUser, readUser } from '../protocol/wishes.js';
import { changeProvisionedUser, createProvisionedUser, deleteProvisionedUser } from './provision-user.process.js';
import {
  candidatesFor,
  findPeople,
  getPerson,
  isFormattedAsDisplayName,
  type Person,
  renderPerson,
} from './users.queries.js';

/** Answers requests at `/Users`. */
export async function answerUsers(
  call: Call<Principal | null>,
  place: SCIMPlace,
  { method, id, query, body }: ResourceRequest,
): Promise<SCIMAnswer> {
  const { organization, base } = place;
  if (id === undefined) {
    if (method === 'GET') return listUsers(call, place, query);
    if (method !== 'POST') throw new AppError('method_not_allowed');
    const made = await createProvisionedUser(call, organization, readUser(readResource(userKind, body)));
    const resource = await showUser(call, place, made, query);
    return { ...resource, status: 201, location: `${base}/Users/${made}` };
  }
  if (method === 'POST') throw new AppError('method_not_allowed');
  if (method === 'GET') return showUser(call, place, id, query);
  const person = await getPerson(call, organization, id);
  if (method === 'DELETE') {
    await deleteProvisionedUser(call, organization, id);
    return { status: 204 };
  }
  const shown = renderPerson(person, base);
  const wish =
    method === 'PUT'
      ? readChangedUser(readResource(userKind, body), person.account.email)
      : patchedUser(person, shown, body);
  await changeProvisionedUser(call, organization, person, wish);
  return showUser(call, place, id, query);
}

/** What a PATCH does not name stays as it is, also for a member whom an admin has disabled. */
function patchedUser(person: Person, shown: Fields, body: unknown) {
  const wish = readChangedUser(patched(userKind, shown, body), person.account.email);
  const isSame = wish.active === shown['active'];
  const { formatted } = (shown['name'] ?? {}) as Fields;
  const formattedAsDisplayName = isFormattedAsDisplayName(person) && wish.name.formatted === formatted;
  const name = formattedAsDisplayName ? { ...wish.name, formatted: undefined } : wish.name;
  return { ...wish, name, active: isSame ? undefined : wish.active, formattedAsDisplayName };
}

async function showUser(
  call: Call<Principal | null>,
  { organization, base }: SCIMPlace,
  id: string,
  query: ResourceRequest['query'],
): Promise<SCIMAnswer> {
  const person = await getPerson(call, organization, id);
  return { status: 200, body: selected(userKind, renderPerson(person, base), readQuery(query)) };
}

async function listUsers(
  call: Call<Principal | null>,
  { organization, base }: SCIMPlace,
  given: ResourceRequest['query'],
): Promise<SCIMAnswer> {
  const query = readQuery(given);
  const candidates = await candidatesFor(call, organization, query.filter);
  const read = async (ids: readonly string[]) => {
    const people = await findPeople(call, organization, ids);
    return people.map((person) => renderPerson(person, base));
  };
  const reading = { read, atOnce: 500 };
  return pageOf(userKind, candidates, query, { compared: reading, shown: reading });
}

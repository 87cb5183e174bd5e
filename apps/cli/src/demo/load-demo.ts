import { AppError, createClient, type Client, type Page } from '@scriptorium/contracts';
import { addPages } from './demo-pages.js';
import { collections, people, spaces, teams, title, titleWhileLoading, type DemoSpace } from './organization.js';
import type { Progress } from '../command-line/progress.js';
import { publishSite } from './publish-site.js';
import { ingestConversations } from './support-conversations.js';
import { publishSpecification, readSpecification } from './specification.js';
import { outline, readSpaces, writeTexts, type DemoPages, type FilledSpace } from './write-pages.js';

/** How demo data is loaded: into which installation, and from where. */
export interface Loading {
  endpoint: string;
  /** The token of an operator. */
  token: string;
  /** The folder of the repository, whose documents become pages. */
  repository: string;
}

/** What was loaded. */
export interface Loaded {
  organization: string;
  spaces: { id: string; title: string; pages: number }[];
  /** The id of the site that shows them. */
  site: string;
}

/**
 * Loads an organization with people, teams, a specification, spaces, pages and files through the public API, as its
 * members would. What an interrupted earlier try has left is deleted first. `begin` is told how many steps it takes.
 * @returns `undefined` when the organization is there already
 */
export async function loadDemo(loading: Loading, begin: (steps: number) => Progress): Promise<Loaded | undefined> {
  const client = createClient(loading);
  const { items } = await client.listOrganizationsForAuthenticatedUser({ query: { limit: 100 } });
  if (items.some((organization) => organization.title === title)) return undefined;
  for (const { id, title: name } of items)
    if (name === titleWhileLoading) await client.deleteOrganizationById({ params: { organizationId: id } });
  const pages = await readSpaces(loading.repository);
  const specification = await readSpecification(loading.repository);
  const progress = begin(2 + people.length + teams.length + spaces.length + pages.size);
  const { id: organization } = await client.createOrganization({ body: { title: titleWhileLoading } });
  const params = { organizationId: organization };
  const members = await addPeople(loading, client, progress, organization);
  const collectionIds = new Map<string, string>();
  for (const name of collections)
    collectionIds.set(name, (await client.createCollection({ params, body: { title: name } })).id);
  await addTeams(client, progress, { organization, members, collectionIds });
  await publishSpecification(client, organization, specification);
  progress.step('The specification');
  const made = [];
  for (const space of spaces) {
    const parent = collectionIds.get(space.collection) ?? null;
    const id = await createSpace(client, { organization, parent, space });
    await addPages(client, id, space.title);
    made.push({ space, id });
    progress.step(space.title);
  }
  await fill(client, progress, { made, members, pages });
  const site = await publishSite(
    client,
    organization,
    made.map(({ space, id }) => ({ id, title: space.title })),
  );
  await ingestConversations(client, organization, Date.now());
  progress.step('300 support conversations');
  await client.updateOrganizationById({ params, body: { title } });
  return { organization, site, spaces: await Promise.all(made.map(({ id }) => summary(client, id))) };
}

/** A member, with a client that speaks as them. */
interface Member {
  id: string;
  client: Client;
}

async function addPeople(
  { endpoint }: Loading,
  client: Client,
  progress: Progress,
  organization: string,
): Promise<Member[]> {
  const params = { organizationId: organization };
  for (const { name, email } of people) {
    // Whoever was created by an earlier try is there already.
    await client
      .createUser({ body: { email, displayName: name, emailVerified: true } })
      .catch(unless('already_exists'));
    progress.step(name);
  }
  await client.inviteUsersToOrganization({
    params,
    body: { emails: people.map(({ email, role }) => ({ email, role })) },
  });
  const { items } = await client.listMembersInOrganizationById({ params, query: { limit: 100 } });
  return Promise.all(
    people.map(async ({ email }) => {
      const id = items.find(({ user }) => user.email === email)?.user.id ?? '';
      return { id, client: (await clientOf(endpoint, client, id)) ?? client };
    }),
  );
}

const hourMs = 3_600_000;

/**
 * A client that speaks as a member; `undefined` when they have a token already: an operator creates the first one
 * alone.
 */
async function clientOf(endpoint: string, client: Client, userId: string): Promise<Client | undefined> {
  const body = { label: 'Demo', expiresAt: new Date(Date.now() + hourMs).toISOString() };
  try {
    const { token } = await client.createTokenForUser({ params: { userId }, body });
    return token === undefined ? undefined : createClient({ endpoint, token });
  } catch (error) {
    if (error instanceof AppError && error.reason === 'forbidden') return undefined;
    throw error;
  }
}

async function addTeams(
  client: Client,
  progress: Progress,
  made: { organization: string; members: readonly Member[]; collectionIds: ReadonlyMap<string, string> },
): Promise<void> {
  const { organization, members, collectionIds } = made;
  for (const { title: name, members: places, grants } of teams) {
    const params = { organizationId: organization };
    const { id: teamId } = await client.createOrganizationTeam({ params, body: { title: name } });
    const memberships = Object.fromEntries(
      places.map((place, index) => [
        members[place]?.id ?? '',
        { role: index === 0 ? ('owner' as const) : ('member' as const) },
      ]),
    );
    await client.updateMembersInOrganizationTeam({ params: { ...params, teamId }, body: { memberships } });
    for (const { collection, role } of grants)
      await client.inviteToCollection({
        params: { collectionId: collectionIds.get(collection) ?? '' },
        body: { role, teams: [teamId] },
      });
    progress.step(name);
  }
}

async function createSpace(
  client: Client,
  { organization, parent, space }: { organization: string; parent: string | null; space: DemoSpace },
): Promise<string> {
  const { title: name, emoji, content } = space;
  const body = { title: name, emoji, parent, editMode: 'live' as const };
  const { id } = await client.createSpace({
    params: { organizationId: organization },
    body:
      'template' in content
        ? { ...body, template: { id: content.template, params: { contentRefs: content.contentRefs } } }
        : { ...body, empty: true as const },
  });
  return id;
}

async function fill(
  client: Client,
  progress: Progress,
  {
    made,
    members,
    pages,
  }: { made: readonly { space: DemoSpace; id: string }[]; members: readonly Member[]; pages: DemoPages },
): Promise<void> {
  const filled: { authors: readonly Client[]; of: FilledSpace }[] = [];
  for (const { space, id } of made) {
    if (!('groups' in space.content)) continue;
    const authors = space.authors.map((place) => members[place]?.client ?? client);
    filled.push({ authors, of: await outline(client, id, pages.of(space)) });
  }
  const all = filled.map(({ of }) => of);
  for (const { authors, of } of filled) await writeTexts(authors, progress, of, all);
}

async function summary(client: Client, spaceId: string): Promise<Loaded['spaces'][number]> {
  const params = { spaceId };
  const [{ title: name }, { pages }] = await Promise.all([
    client.getSpaceById({ params }),
    client.listPages({ params }),
  ]);
  const count = (list: readonly Page[]): number =>
    list.reduce((sum, page) => sum + 1 + count('pages' in page ? page.pages : []), 0);
  return { id: spaceId, title: name, pages: count(pages) };
}

/** Handles an error that has this reason, and throws all others on. */
function unless(reason: AppError['reason']): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof AppError && error.reason === reason)) throw error;
  };
}

import type { Client } from '@scriptorium/contracts';
import type { Product } from './product.js';
import { patientClient } from './patient-client.js';

export interface Seed {
  client: Client;
  organization: string;
  /** Ids of the organization's members besides the first user. */
  members: readonly string[];
  /** Ids of teams, each with ten members. */
  teams: readonly string[];
}

export interface SeedSize {
  members: number;
  teams: number;
}

const atOnce = 10;
const membersOfTeam = 10;

/** Fills the first organization over HTTP. */
export async function seed(product: Product, { members: memberCount, teams: teamCount }: SeedSize): Promise<Seed> {
  const { endpoint, token, organization } = product;
  const client = patientClient({ endpoint, token });
  const numbers = numbersTo(memberCount);
  const address = (index: number) => `member-${index}@example.org`;
  const members = await inTurns(numbers, async (index) => {
    const user = await client.createUser({
      body: { email: address(index), displayName: `Member ${index}`, emailVerified: true },
    });
    return user.id;
  });
  await client.inviteUsersToOrganization({
    params: { organizationId: organization },
    body: { emails: numbers.map(address), role: 'edit' },
  });
  const teams = await inTurns(numbersTo(teamCount), async (index) => {
    const some = Array.from(
      { length: Math.min(membersOfTeam, members.length) },
      (_, place) => members[(index + place) % members.length] ?? '',
    );
    const team = await client.createOrganizationTeam({
      params: { organizationId: organization },
      body: { title: `Team ${index}`, members: some },
    });
    return team.id;
  });
  return { client, organization, members, teams };
}

/** The whole numbers from 0, so many. */
export function numbersTo(end: number): number[] {
  return Array.from({ length: end }, (_, index) => index);
}

/** Works on the items a few at a time; answers in their order. */
export async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += atOnce) {
    results.push(...(await Promise.all(items.slice(start, start + atOnce).map(work))));
  }
  return results;
}

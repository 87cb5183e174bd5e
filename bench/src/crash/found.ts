import type { Client } from '@scriptorium/contracts';
import { Field } from './field.js';
import type { Memory, MemberRole, Person } from './memory.js';
import type { World } from './world.js';
import { patientClient } from '../product/patient-client.js';

const writersOfOrganization = 10;
const staying = 2;

/** Makes organizations, users and members for so many writers. */
export async function foundMemories(world: World, writers: number): Promise<Memory[]> {
  const client = patientClient({ endpoint: world.endpoint, token: world.token });
  const memories: Memory[] = [];
  for (let first = 0; first < writers; first += writersOfOrganization) {
    const count = Math.min(writersOfOrganization, writers - first);
    memories.push(...(await foundOrganization(client, first, count)));
  }
  return memories;
}

async function foundOrganization(client: Client, first: number, count: number): Promise<Memory[]> {
  const { id: organization } = await client.createOrganization({
    body: { title: `Organization of writer ${first} and on` },
  });
  const people: Person[] = await Promise.all(
    Array.from({ length: count * (staying + 1) }, async (_, index) => {
      const email = `person-${first}-${index}@example.org`;
      const { id } = await client.createUser({
        body: { email, displayName: `Person ${first}-${index}`, emailVerified: true },
      });
      return { id, email, role: new Field<MemberRole>('edit'), inside: true };
    }),
  );
  await client.inviteUsersToOrganization({
    params: { organizationId: organization },
    body: { emails: people.map(({ email }) => email), role: 'edit' },
  });
  return Array.from({ length: count }, (_, index) => {
    const own = people.slice(index * (staying + 1), (index + 1) * (staying + 1));
    return {
      name: `w${first + index}`,
      organization,
      staying: own.slice(0, staying),
      moving: own[staying] as Person,
      teams: [],
      spaces: [],
      perhaps: new Set<string>(),
      invited: [],
    };
  });
}

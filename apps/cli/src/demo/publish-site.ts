import type { Client } from '@scriptorium/contracts';
import { title } from './organization.js';

/**
 * The sections of the site of the demo: their spaces by their titles. The first section and its first space are the
 * default.
 */
const sections: readonly { title: string; spaces: readonly string[] }[] = [
  { title: 'Guides', spaces: ['Product guide', 'API guide'] },
  { title: 'Help', spaces: ['Help center'] },
  { title: 'Engineering', spaces: ['Scriptorium', 'Decisions', 'Errors'] },
];

/** Publishes a site that shows the spaces of the demo; its id. */
export async function publishSite(
  client: Client,
  organizationId: string,
  spaces: readonly { id: string; title: string }[],
): Promise<string> {
  const idOf = (name: string): string => spaces.find((space) => space.title === name)?.id ?? '';
  const params = { organizationId };
  const { id: siteId } = await client.createSite({ params, body: { title } });
  const ofSite = { ...params, siteId };
  for (const { title: name, spaces: names } of sections) {
    const [first = '', ...others] = names;
    const section = await client.addSectionToSite({ params: ofSite, body: { title: name, spaceId: idOf(first) } });
    for (const other of others)
      await client.addSpaceToSite({ params: ofSite, body: { spaceId: idOf(other), sectionId: section.id } });
  }
  await client.publishSite({ params: ofSite });
  return siteId;
}

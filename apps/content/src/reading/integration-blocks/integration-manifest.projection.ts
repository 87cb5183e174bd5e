import { frameSources, integrationEventSchemas } from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded } from '@scriptorium/event-sourcing';

/** What an integration says of itself and its blocks, for those who read a document with one of these. */
export interface IntegrationManifestDocument {
  name: string;
  title: string;
  description: string;
  icon: { hash: string; type: string } | null;
  blocks: readonly { id: string; title: string; description?: string | undefined }[];
  /** The sources from which it states that it shows frames. */
  frames: readonly string[];
}

const published = defineEvents(integrationEventSchemas).pick('IntegrationPublished', 'IntegrationUnpublished');

/** What integrations say of themselves, by the ids of the integrations. */
export const integrationManifests = projection({
  name: 'integration_manifests',
  version: 1,
  entities: ['integrations.integration'],
  events: [published],
  id: (event) => event.entityId,
  evolve(
    _doc: IntegrationManifestDocument | null,
    event: Recorded<EventOf<typeof published>>,
  ): IntegrationManifestDocument | null {
    if (event.type === 'IntegrationUnpublished') return null;
    const { name, title, description, icon, blocks, contentSecurityPolicy } = event.data;
    const shown = blocks.map(({ id, title: of, description: about }) => ({
      id,
      title: of,
      ...(about === undefined ? {} : { description: about }),
    }));
    return { name, title, description, icon, blocks: shown, frames: frameSources(contentSecurityPolicy) };
  },
});

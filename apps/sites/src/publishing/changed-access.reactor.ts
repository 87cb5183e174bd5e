import { identityReadModels, nodeAccess } from '@scriptorium/access';
import { previewsOf } from '@scriptorium/contracts';
import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { waitForProjections, type Announcer } from '@scriptorium/platform';

/** What decides which spaces a member may view. */
const models = [...identityReadModels, nodeAccess];

/** After these, spaces are there that were not, or are there no more. */
const spacesChange: ReadonlySet<string> = new Set([
  'SpaceDeleted',
  'SpaceRestored',
  'SpacePurgeBegan',
  'SpaceTransferred',
  'CollectionDeleted',
  'CollectionPurgeBegan',
  'TransferEntered',
]);

/**
 * Gateways ask again what tokens open when spaces go or come back, and what previews open when their makers may view
 * something else, as soon as the answer is another one.
 */
export function changedAccess(announcer: Announcer): Reactor {
  return reactor({
    name: 'announce_changed_access',
    entities: [...new Set(models.flatMap(({ entities }) => [...entities]))],
    events: [...new Set(models.flatMap(({ tables }) => [...tables]))],
    from: 'now',
    react: async ({ position, type, meta }, store) => {
      await waitForProjections({ store }, { position, type }, models);
      const { organization } = meta;
      if (organization === null) return;
      // Previews open no more than their makers may view. No token opens spaces that are gone.
      const previews = previewsOf(organization);
      announcer.changed(...(spacesChange.has(type) ? [organization, previews] : [previews]));
    },
  });
}

import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { waitForProjections } from '@scriptorium/platform';
import { spacePurge } from '../spaces/index.js';
import { site, sites } from '../model/index.js';
import { removeEverywhere } from './changes/site-spaces.js';

/** A space that is gone for good stands on no site any more. */
export const purgedSpacesReactor: Reactor = reactor({
  name: 'purged_spaces',
  entities: ['content.library'],
  events: [spacePurge.pick('SpacePurgeBegan')],
  react: async ({ entityId: organization, position, data: { space } }, store) => {
    const inside = store.in(organization);
    await waitForProjections({ store }, { position, type: 'SiteSpaceAdded' }, [sites]);
    const found = await inside
      .read(sites)
      .find({ spaces: space }, { projection: { _id: 1 } })
      .toArray();
    for (const { _id: id } of found)
      await inside
        .within({ site: id })
        .step(id)
        .handle(site, id, (state) => removeEverywhere(state, space));
  },
});

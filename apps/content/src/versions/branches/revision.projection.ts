import { projection, type Actor } from '@scriptorium/event-sourcing';
import { branchEvents, type RevisionData } from './branch.events.js';
import { requestAbandonment, spacePurges } from './consumed.events.js';

/** A revision, without its content. */
export interface RevisionDocument extends Omit<RevisionData, 'revision'> {
  branch: string;
  createdAt: string;
  createdBy: Actor;
}

const made = branchEvents.pick('RevisionCreated');

/** All revisions of all branches, by id. */
export const revisions = projection<RevisionDocument, [typeof made, typeof spacePurges, typeof requestAbandonment]>({
  name: 'revision',
  version: 2,
  entities: ['content.branch', 'content.library', 'collaboration.request'],
  events: [made, spacePurges, requestAbandonment],
  indexes: [{ key: { branch: 1, number: 1 } }, { key: { space: 1 } }, { key: { mergedFrom: 1 } }],
  writes(event) {
    if (event.type === 'ChangeRequestAbandoned') return [{ removeWhere: { branch: event.entityId } }];
    if (event.type !== 'RevisionCreated') return [{ removeWhere: { space: event.data.space } }];
    const { revision, ...data } = event.data;
    const { time: createdAt, actor: createdBy } = event.meta;
    return [{ put: revision, doc: { branch: event.entityId, ...data, createdAt, createdBy } }];
  },
});

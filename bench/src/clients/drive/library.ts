import { idOf } from '../official.js';
import type { World } from '../world.js';

/** Spaces and collections: their settings, places and grants. */
export async function driveLibrary(world: World): Promise<void> {
  const { call, organization } = world;
  const collection = idOf(await call('createCollection', organization, { title: 'Manuals' }));
  const inner = idOf(await call('createCollection', organization, { title: 'Inner', parent: collection }));
  await collections(world, collection, inner);
  const space = idOf(
    await call('createSpace', organization, { title: 'Guide', emoji: '1f4d8', parent: collection, language: 'en' }),
  );
  await call('createSpace', organization, { title: 'No emoji', editMode: 'live', empty: true });
  await spaces(world, space, collection);
  await grants(world, 'Space', space);
  await grants(world, 'Collection', collection);
  await ends(world, space, collection, inner);
}

async function collections({ call, organization }: World, collection: string, inner: string): Promise<void> {
  await call('listCollectionsInOrganizationById', organization, { nested: true });
  await call('getCollectionById', inner);
  await call('updateCollectionById', collection, { title: 'All manuals', description: 'Of products' });
  await call('updateCollectionById', collection, { defaultLevel: 'read' });
  await call('updateCollectionById', collection, { defaultLevel: null });
  await call('updateCollectionById', collection, { defaultLevel: 'inherit' });
  const second = idOf(await call('createCollection', organization, { title: 'Second' }));
  await call('moveCollection', inner, {
    parent: null,
    position: { after: { type: 'collection', collection: second } },
  });
  await call('moveCollection', inner, { parent: collection });
}

async function spaces({ call, people, organization }: World, space: string, collection: string): Promise<void> {
  await call('getSpaceById', space);
  await call('getSpaceById', space, { shareKey: 'none' });
  await call('updateSpaceById', space, { title: 'User guide', editMode: 'live', defaultLevel: 'read' });
  await call('updateSpaceById', space, { emoji: null, icon: null });
  await call('updateSpaceById', space, {
    editMode: 'locked',
    mergeRules: { type: 'rules', rules: [{ rule: 'require_specific_reviewers', users: [people.editor.id] }] },
  });
  await call('updateSpaceById', space, { mergeRules: { type: 'inherit' } });
  await call('listSpacesInCollectionById', collection, { limit: 10 });
  await call('listSpacesInOrganizationById', organization, { limit: 10 });
  await call('listSpacesForOrganizationMember', organization, people.editor.id, { limit: 10 });
}

async function grants({ call, people, organization }: World, kind: 'Space' | 'Collection', id: string): Promise<void> {
  const team = idOf(await call('createOrganizationTeam', organization, { title: `Readers of a ${kind}` }));
  await call(`inviteTo${kind}`, id, { teams: [team], role: 'read' });
  await call(`inviteTo${kind}`, id, { users: [people.editor.id], role: 'edit' });
  await call(`listUserPermissionsIn${kind}`, id, {});
  await call(`listTeamPermissionsIn${kind}`, id, {});
  await call(`updateUserPermissionIn${kind}`, id, people.editor.id, { role: 'review' });
  await call(`updateUserPermissionIn${kind}`, id, people.editor.id, { role: null });
  await call(`listUserPermissionsIn${kind}`, id, {});
  await call(`updateTeamPermissionIn${kind}`, id, team, { role: 'comment' });
  await call(`listPermissionsAggregateIn${kind}`, id, { limit: 20 });
  await call(`removeUserFrom${kind}`, id, people.editor.id);
  await call(`removeTeamFrom${kind}`, id, team);
}

async function ends(world: World, space: string, collection: string, inner: string): Promise<void> {
  const { call, other } = world;
  const copy = idOf(await call('duplicateSpace', space));
  await call('moveSpace', copy, { parent: inner });
  await call('moveSpace', copy, { parent: null, position: { before: { type: 'collection', collection } } });
  await call('deleteSpaceById', copy);
  await call('restoreSpace', copy);
  await call('transferSpace', copy, { organization: other });
  await call('transferCollection', inner, { organization: other });
  await call('deleteSpaceById', copy);
  await call('deleteSpaceById', copy);
  await call('deleteCollectionById', inner);
  await call('deleteCollectionById', inner);
}

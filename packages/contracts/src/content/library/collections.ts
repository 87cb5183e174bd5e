import * as z from 'zod';
import { Id, listOf, paging, text } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { Collection } from './collection.js';
import { DefaultLevel, Space } from './space.js';

const CollectionTitle = text(1, 50);
const CollectionDescription = text(0, 100);

const base = { service: 'content', tag: 'Collections' } as const;
const orgParams = z.object({ organizationId: Id });
const params = z.object({ collectionId: Id });

export const listCollectionsInOrganizationById = operation({
  ...base,
  id: 'listCollectionsInOrganizationById',
  method: 'GET',
  path: '/orgs/{organizationId}/collections',
  summary: 'List the collections of an organization that the caller may view',
  access: { scope: 'space:read', resource: 'organization', view: ['guest'], allow: ['guest'] },
  params: orgParams,
  query: z.object({
    ...paging,
    nested: z.boolean().default(true).meta({ description: '`false`: only those that are in no other collection.' }),
    deleted: z.boolean().default(false).meta({
      description:
        '`true`: only deleted ones of which the caller is an admin. Their spaces are what can be restored; a collection cannot.',
    }),
  }),
  response: listOf(Collection),
});

export const createCollection = operation({
  ...base,
  id: 'createCollection',
  method: 'POST',
  path: '/orgs/{organizationId}/collections',
  summary: 'Create a collection; the caller becomes its admin',
  // What is needed depends on `parent`, which no path names: `create` there, or in the organization.
  access: { scope: 'space:write', resource: 'organization', view: ['guest'], allow: ['guest'] },
  params: orgParams,
  body: z.object({
    title: CollectionTitle.optional().meta({ description: '`Untitled` unless given.' }),
    parent: Id.nullable().optional().meta({ description: 'The collection to put it in.' }),
  }),
  bodyOptional: true,
  response: Collection,
  status: 201,
  reasons: ['limit_reached', 'position_invalid'],
});

export const getCollectionById = operation({
  ...base,
  id: 'getCollectionById',
  method: 'GET',
  path: '/collections/{collectionId}',
  summary: 'Get a collection',
  access: { scope: 'space:read', resource: 'collection', view: ['read'], allow: ['read'] },
  params,
  response: Collection,
});

export const updateCollectionById = operation({
  ...base,
  id: 'updateCollectionById',
  method: 'PATCH',
  path: '/collections/{collectionId}',
  summary: 'Change the settings of a collection',
  access: { scope: 'space:write', resource: 'collection', view: ['read'], allow: ['create'] },
  params,
  body: z.object({
    title: CollectionTitle.optional(),
    description: CollectionDescription.nullable().optional(),
    defaultLevel: DefaultLevel.optional(),
  }),
  response: Collection,
});

export const deleteCollectionById = operation({
  ...base,
  id: 'deleteCollectionById',
  method: 'DELETE',
  path: '/collections/{collectionId}',
  summary: 'Delete a collection with everything in it; its spaces can be restored for seven days',
  access: { scope: 'space:write', resource: 'collection', view: ['read'], allow: ['admin'] },
  params,
});

export const listSpacesInCollectionById = operation({
  ...base,
  id: 'listSpacesInCollectionById',
  method: 'GET',
  path: '/collections/{collectionId}/spaces',
  summary: 'List the spaces directly in a collection that the caller may view',
  access: { scope: 'space:read', resource: 'collection', view: ['read'], allow: ['read'] },
  params,
  query: z.object(paging),
  response: listOf(Space),
});

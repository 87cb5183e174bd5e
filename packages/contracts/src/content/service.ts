import { pickOperations } from '../operation.js';
import { defineServiceContract } from '../service-contract.js';
import * as addresses from './addresses.js';
import * as allContent from './all-content.js';
import * as branches from './branches-internal.js';
import * as changeRequestContent from './change-request-content.js';
import * as collectionGrants from './collection-grants.js';
import * as collections from './collections.js';
import * as computedContent from './computed-content.js';
import * as duplicates from './duplicates.js';
import * as exports from './exports.js';
import * as imports from './imports.js';
import * as internal from './internal.js';
import * as published from './published-internal.js';
import { contentLimits } from './limits.js';
import * as links from './links.js';
import * as moves from './moves.js';
import { contentStreams } from './public-streams.js';
import * as spaceGrants from './space-grants.js';
import * as revisions from './revisions.js';
import * as search from './search.js';
import * as spaceContent from './space-content.js';
import * as spaces from './spaces.js';
import * as storage from './storage.js';
import * as templates from './templates.js';
import * as transfers from './transfers.js';
import * as urlEmbeds from './url-embeds.js';
import * as verifications from './verifications.js';

/** Everything that crosses the border of content. */
export const contentContract = defineServiceContract({
  name: 'content',
  operations: pickOperations({
    ...spaces,
    ...spaceGrants,
    ...collections,
    ...collectionGrants,
    ...allContent,
    ...addresses,
    ...urlEmbeds,
    ...moves,
    ...transfers,
    ...duplicates,
    ...spaceContent,
    ...computedContent,
    ...revisions,
    ...changeRequestContent,
    ...links,
    ...search,
    ...storage,
    ...templates,
    ...imports,
    ...exports,
    ...verifications,
  }),
  internal: { ...internal, ...branches, ...published },
  streams: contentStreams,
  limits: contentLimits,
  embeds: { space: internal.lookupSpaces },
  resourceKinds: {
    organization: { withinOrganization: true },
    member: { withinOrganization: true },
    space: { withinOrganization: true },
    recoverable_space: { withinOrganization: true },
    space_grant: { withinOrganization: true },
    collection: { withinOrganization: true },
    collection_grant: { withinOrganization: true },
    transferred_space: { withinOrganization: true },
    transferred_collection: { withinOrganization: true },
    template: { withinOrganization: false },
    address: { withinOrganization: false },
    installation: { withinOrganization: false },
  },
});

import { pickOperations } from '../operation.js';
import { defineServiceContract } from '../service-contract.js';
import * as collectionGrants from './collection-grants.js';
import * as collections from './collections.js';
import { contentEmbeds } from './embeds.js';
import * as internal from './internal.js';
import { contentLimits } from './limits.js';
import * as moves from './moves.js';
import { contentStreams } from './public-streams.js';
import * as spaceGrants from './space-grants.js';
import * as spaces from './spaces.js';

/** Everything that crosses the border of content. */
export const contentContract = defineServiceContract({
  name: 'content',
  operations: pickOperations({ ...spaces, ...spaceGrants, ...collections, ...collectionGrants, ...moves }),
  internal: { ...internal },
  streams: contentStreams,
  limits: contentLimits,
  embeds: contentEmbeds,
  resourceKinds: {
    organization: { withinOrganization: true },
    member: { withinOrganization: true },
    space: { withinOrganization: true },
    recoverable_space: { withinOrganization: true },
    space_grant: { withinOrganization: true },
    collection: { withinOrganization: true },
    collection_grant: { withinOrganization: true },
  },
});

import { pickOperations } from '../kernel/operation.js';
import { defineServiceContract } from '../kernel/service-contract.js';
import * as addresses from './reading/addresses.js';
import * as allContent from './library/all-content.js';
import * as branches from './versions/branches-internal.js';
import * as changeRequestContent from './versions/change-request-content.js';
import * as collectionGrants from './library/collection-grants.js';
import * as collections from './library/collections.js';
import * as computedContent from './reading/computed-content.js';
import * as duplicates from './library/duplicates.js';
import * as exports from './moving/exports.js';
import * as imports from './moving/imports.js';
import * as glossary from './translations/glossary.js';
import * as internal from './internal.js';
import * as pdf from './moving/pdf.js';
import * as published from './reading/published-internal.js';
import { contentLimits } from './limits.js';
import * as links from './reading/links.js';
import * as moves from './library/moves.js';
import * as specVersions from './openapi/spec-versions.js';
import * as specs from './openapi/specs.js';
import { contentStreams } from './public-streams.js';
import * as spaceGrants from './library/space-grants.js';
import * as revisions from './versions/revisions.js';
import * as search from './reading/search.js';
import * as segments from './translations/segments.js';
import * as spaceContent from './versions/space-content.js';
import * as spaces from './library/spaces.js';
import * as storage from './moving/storage.js';
import * as templates from './moving/templates.js';
import * as transfers from './library/transfers.js';
import * as translations from './translations/translations.js';
import * as urlEmbeds from './reading/url-embeds.js';
import * as verifications from './versions/verifications.js';

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
    ...pdf,
    ...verifications,
    ...specs,
    ...specVersions,
    ...translations,
    ...glossary,
    ...segments,
  }),
  internal: { ...internal, ...branches, ...published, preparePublishedPdf: pdf.preparePublishedPdf },
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
    translation: { withinOrganization: true },
    template: { withinOrganization: false },
    address: { withinOrganization: false },
    installation: { withinOrganization: false },
  },
});

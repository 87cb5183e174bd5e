import { accessWithInstallationsDomain } from '@scriptorium/access';
import { contentContract } from '@scriptorium/contracts';
import { defineService } from '@scriptorium/platform';
import { collections } from './library/collections/domain.js';
import { grants } from './library/grants/domain.js';
import { inWritableSpace } from './library/index.js';
import { nodes } from './library/nodes/domain.js';
import { openapi } from './library/openapi/domain.js';
import { spaces } from './library/spaces/domain.js';
import { transfers } from './library/transfers/domain.js';
import { exports } from './moving/exports/domain.js';
import { imports } from './moving/imports/domain.js';
import { pdf } from './moving/pdf/domain.js';
import { translations } from './moving/translations/domain.js';
import { addresses } from './reading/addresses/domain.js';
import { analysis } from './reading/analysis/domain.js';
import { computedPages } from './reading/computed-pages/domain.js';
import { content as contentDomain } from './reading/content/domain.js';
import { integrationBlocks } from './reading/integration-blocks/domain.js';
import { links } from './reading/links/domain.js';
import { pageVisibility } from './reading/page-visibility/domain.js';
import { search } from './reading/search/domain.js';
import { branches } from './versions/branches/domain.js';
import { files } from './versions/files/domain.js';
import { mergeInterface } from './versions/merge-interface/domain.js';
import { objectStore } from './versions/object-store/domain.js';
import { storageSweep } from './versions/storage-sweep/domain.js';
import { templates } from './versions/templates/domain.js';

/** Files and content, and how both change. */
const versions = [files, objectStore, branches, storageSweep, templates, mergeInterface({ inWritableSpace })];
/** Spaces and collections, and who has which level on them. */
const library = [nodes, grants, collections, spaces, transfers, openapi];
/** What is read of content. */
const reading = [analysis, computedPages, pageVisibility, integrationBlocks, contentDomain, addresses, links, search];
/** Content that comes in and goes out. */
const moving = [exports, pdf, imports, translations];

/**
 * The content service: its groups of domains in their order, and the domains of each in theirs. Each imports only those
 * before it.
 */
export const content = defineService({
  service: contentContract.name,
  operator: contentContract.operator,
  domains: [accessWithInstallationsDomain, ...versions, ...library, ...reading, ...moving],
});

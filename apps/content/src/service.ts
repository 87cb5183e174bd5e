import { accessDomain } from '@scriptorium/access';
import { contentContract } from '@scriptorium/contracts';
import { defineService } from '@scriptorium/platform';
import { addresses } from './reading/addresses/domain.js';
import { branches } from './versions/branches/domain.js';
import { changeRequests } from './versions/merge-interface/domain.js';
import { computed } from './reading/computed-pages/domain.js';
import { collections } from './library/collections/domain.js';
import { content as contentDomain } from './reading/content/domain.js';
import { directory } from './library/grants/domain.js';
import { exports } from './moving/exports/domain.js';
import { facts } from './reading/analysis/domain.js';
import { files } from './versions/files/domain.js';
import { imports } from './moving/imports/domain.js';
import { library } from './library/nodes/domain.js';
import { inLiveSpace } from './library/index.js';
import { links } from './reading/links/domain.js';
import { objects } from './versions/object-store/domain.js';
import { pools } from './versions/storage-sweep/domain.js';
import { search } from './reading/search/domain.js';
import { spaces } from './library/spaces/domain.js';
import { templates } from './versions/templates/domain.js';
import { transfers } from './library/transfers/domain.js';
import { visitors } from './reading/page-visibility/domain.js';

/** The content service: its domains in their order. A domain imports only those before it. */
export const content = defineService({
  service: contentContract.name,
  operator: contentContract.operator,
  domains: [
    accessDomain,
    directory,
    files,
    objects,
    facts,
    computed,
    visitors,
    branches,
    pools,
    library,
    collections,
    templates,
    spaces,
    transfers,
    contentDomain,
    addresses,
    links,
    search,
    changeRequests({ inLiveSpace }),
    exports,
    imports,
  ],
});

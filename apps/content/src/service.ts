import { accessDomain } from '@scriptorium/access';
import { contentContract } from '@scriptorium/contracts';
import { defineService } from '@scriptorium/platform';
import { addresses } from './addresses/domain.js';
import { branches } from './branches/domain.js';
import { changeRequests } from './change-requests/domain.js';
import { computed } from './computed/domain.js';
import { collections } from './collections/domain.js';
import { content as contentDomain } from './content/domain.js';
import { directory } from './directory/domain.js';
import { exports } from './exports/domain.js';
import { facts } from './facts/domain.js';
import { files } from './files/domain.js';
import { imports } from './imports/domain.js';
import { library } from './library/domain.js';
import { inLiveSpace } from './library/index.js';
import { links } from './links/domain.js';
import { objects } from './objects/domain.js';
import { pools } from './pools/domain.js';
import { search } from './search/domain.js';
import { spaces } from './spaces/domain.js';
import { templates } from './templates/domain.js';
import { transfers } from './transfers/domain.js';
import { visitors } from './visitors/domain.js';

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

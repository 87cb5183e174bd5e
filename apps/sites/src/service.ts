import { accessWithInstallationsDomain } from '@scriptorium/access';
import { sitesContract } from '@scriptorium/contracts';
import { defineService } from '@scriptorium/platform';
import { cascades } from './cascades/domain.js';
import { customizationDomain } from './customization/domain.js';
import { grants } from './grants/domain.js';
import { model } from './model/domain.js';
import { insights } from './insights/domain.js';
import { publishing } from './publishing/domain.js';
import { reading } from './reading/domain.js';
import { visitorAuth } from './visitor-auth/domain.js';
import { adaptive } from './adaptive/domain.js';
import { published } from './published/domain.js';
import { redirectsDomain } from './redirects/domain.js';
import { scripts } from './scripts/domain.js';
import { shareLinks } from './share-links/domain.js';
import { siteSettings } from './sites/domain.js';
import { spaces } from './spaces/domain.js';
import { structure } from './structure/domain.js';

/** The sites service: its domains in their order. A domain imports only those before it. */
export const sites = defineService({
  service: sitesContract.name,
  operator: sitesContract.operator,
  domains: [
    accessWithInstallationsDomain,
    spaces,
    model,
    grants,
    shareLinks,
    structure,
    siteSettings,
    adaptive,
    customizationDomain,
    redirectsDomain,
    scripts,
    published,
    visitorAuth,
    insights,
    publishing,
    reading,
    cascades,
  ],
});

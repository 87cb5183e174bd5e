import { accessDomain } from '@scriptorium/access';
import { sitesContract } from '@scriptorium/contracts';
import { defineService } from '@scriptorium/platform';
import { directories } from './directory/domain.js';
import { model } from './model/domain.js';
import { publishing } from './publishing/domain.js';
import { adaptive } from './adaptive/domain.js';
import { shareLinks } from './share-links/domain.js';
import { siteSettings } from './sites/domain.js';
import { spaces } from './spaces/domain.js';
import { structure } from './structure/domain.js';

/** The sites service: its domains in their order. A domain imports only those before it. */
export const sites = defineService({
  service: sitesContract.name,
  operator: sitesContract.operator,
  domains: [accessDomain, spaces, model, directories, shareLinks, structure, siteSettings, adaptive, publishing],
});

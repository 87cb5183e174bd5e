import { defineDomain } from '@scriptorium/platform';
import { HostnameRecords } from './hostname-records.process.js';
import { SitesController } from './sites.controller.js';
import { defaultSitesReactor } from './sites.reactor.js';
import { hostnameSettings } from './sites.settings.js';

/** Sites: their settings, creation and deletion. */
export const siteSettings = defineDomain({
  name: 'sites',
  settings: hostnameSettings,
  controllers: [SitesController],
  objects: ({ settings }) => [new HostnameRecords(settings.DNS_SERVERS?.split(',') ?? [])],
  reactors: ({ context }) => [defaultSitesReactor(context)],
});

import { changeRequests } from './change-requests.js';
import { clustering } from './clustering.js';
import { comments } from './comments.js';
import { conversationsProcessed } from './conversations.js';
import { contentThroughput, largeSpace } from './content.js';
import { edge } from './edge.js';
import { growth } from './growth.js';
import { imports } from './imports.js';
import { integrationsDelivery } from './integrations-delivery.js';
import { integrationsRender } from './integrations-render.js';
import { librarySize } from './library-size.js';
import { logSize } from './log-size.js';
import { memory } from './memory.js';
import { pdf } from './pdf.js';
import { rebuild } from './rebuild.js';
import { recovery } from './recovery.js';
import { readerLarge } from './reader.js';
import { readerPage, sitesThroughput } from './sites.js';
import type { Scenario } from './scenario.js';
import { organizationSearch } from './search-organization.js';
import { firstSearch, search } from './search.js';
import { signInLatency } from './sign-in-latency.js';
import { specs } from './specs.js';
import { throughput } from './throughput.js';
import { transfers } from './transfers.js';
import { translations } from './translations.js';
import { visible } from './visible.js';

/** All scenarios in the order in which they run. */
export const scenarios: readonly Scenario[] = [
  ...throughput,
  ...contentThroughput,
  search,
  firstSearch,
  organizationSearch,
  ...comments,
  ...changeRequests,
  ...sitesThroughput,
  readerPage,
  readerLarge,
  edge,
  visible,
  signInLatency,
  logSize,
  rebuild,
  recovery,
  memory,
  growth,
  pdf,
  integrationsDelivery,
  integrationsRender,
  largeSpace,
  imports,
  specs,
  transfers,
  translations,
  librarySize,
  conversationsProcessed,
  clustering,
];

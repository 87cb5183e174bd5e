import { accessWithInstallationsDomain } from '@scriptorium/access';
import { conversationsContract } from '@scriptorium/contracts';
import { defineService } from '@scriptorium/platform';
import { analysis } from './analysis/domain.js';
import { cascades } from './cascades/domain.js';
import { clusters } from './clusters/domain.js';
import { conversations as conversationsDomain } from './conversations/domain.js';
import { models } from './models/domain.js';
import { texts } from './texts/domain.js';

/** The conversations service: its domains in their order. A domain imports only those before it. */
export const conversations = defineService({
  service: conversationsContract.name,
  operator: conversationsContract.operator,
  domains: [accessWithInstallationsDomain, models, texts, clusters, conversationsDomain, analysis, cascades],
});

import { accessDomain } from '@scriptorium/access';
import { collaborationContract } from '@scriptorium/contracts';
import { defineService } from '@scriptorium/platform';
import { changeRequests } from './change-requests/domain.js';
import { comments } from './comments/domain.js';
import { merging } from './merging/domain.js';
import { reviews } from './reviews/domain.js';
import { notifications } from './notifications/domain.js';
import { spaces } from './spaces/domain.js';
import { texts } from './texts/domain.js';

/** The collaboration service: its domains in their order. A domain imports only those before it. */
export const collaboration = defineService({
  service: collaborationContract.name,
  operator: collaborationContract.operator,
  domains: [accessDomain, spaces, texts, changeRequests, merging, comments, reviews, notifications],
});

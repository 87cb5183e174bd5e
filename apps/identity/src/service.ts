import { identityContract } from '@scriptorium/contracts';
import { defineService } from '@scriptorium/platform';
import { accounts } from './accounts/domain.js';
import { sweepSessions, writeTokenMail } from './accounts/index.js';
import { activity } from './activity/domain.js';
import { agentInstructions } from './agent-instructions/domain.js';
import { authentication } from './authentication/domain.js';
import { sweepSignIn, writeLinkMail, writePasswordMail } from './authentication/index.js';
import { erasure } from './erasure/domain.js';
import { installation } from './installation/domain.js';
import { mail } from './mail/domain.js';
import { organizations } from './organizations/domain.js';
import { writeInvitationMail, writeNotificationsMail } from './organizations/index.js';
import { organizationReadModels } from './organization-read-models/domain.js';
import { attempts } from './attempts/domain.js';
import { provisioning } from './provisioning/domain.js';
import { singleSignOn } from './single-sign-on/domain.js';
import { sweepSAML } from './single-sign-on/index.js';
import { teams } from './teams/domain.js';

/** The identity service: its domains in their order. A domain imports only those before it. */
export const identity = defineService({
  service: identityContract.name,
  operator: identityContract.operator,
  domains: [
    attempts({ sweeps: [sweepSignIn, sweepSessions, sweepSAML] }),
    organizationReadModels,
    mail({
      link: writeLinkMail,
      invite: writeInvitationMail,
      password: writePasswordMail,
      token: writeTokenMail,
      notifications: writeNotificationsMail,
    }),
    accounts,
    organizations,
    authentication,
    teams,
    singleSignOn,
    provisioning,
    agentInstructions,
    erasure,
    activity,
    installation,
  ],
});

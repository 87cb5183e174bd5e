import { identityOperator } from '@scriptorium/contracts';
import { systemClock } from '@scriptorium/event-sourcing';
import type { ServiceDefinition } from '@scriptorium/platform';
import { AgentInstructionsModule } from './agent-instructions/agent-instructions.module.js';
import { agentInstructionsDocs } from './agent-instructions/agent-instructions.projection.js';
import { auditEvents } from './audit/audit-event.projection.js';
import { AuditModule } from './audit/audit.module.js';
import { noticesReactor } from './audit/notices.reactor.js';
import { ChangesModule } from './changes/changes.module.js';
import { ErasureModule } from './erasure/erasure.module.js';
import { erasuresReactor, lateMembersReactor } from './erasure/erasure.reactor.js';
import { secondLook, secondLookHandler } from './erasure/erasure.timer.js';
import { InstallationModule } from './installation/installation.module.js';
import { pendingInvites } from './invites/pending-invite.projection.js';
import { InvitesModule } from './invites/invites.module.js';
import { acceptedReactor, invitationsReactor, membersReactor, newcomersReactor } from './invites/invites.reactor.js';
import { addresses } from './users/addresses.reservation.js';
import { mailHandler, sendMail } from './mail/mail.timer.js';
import { mailReactor } from './mail/mail.reactor.js';
import { createPostOffice } from './mail/post.office.js';
import { PasswordsModule } from './passwords/passwords.module.js';
import { PasswordHashing } from './passwords/scrypt.hashing.js';
import { PasswordStrength } from './passwords/strength.check.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { sweep, Sweeper, sweepHandler } from './sign-in/sweep.timer.js';
import { hostnames } from './organizations/hostnames.reservation.js';
import { LastSeen } from './members/last-seen.operational.js';
import { linkInviteDocs } from './link-invites/link-invite.projection.js';
import { LinkInvitesModule } from './link-invites/link-invites.module.js';
import { members } from './members/member.projection.js';
import { seenReactor } from './members/members.reactor.js';
import { MembersModule } from './members/members.module.js';
import { organizations } from './organizations/organization.projection.js';
import { OrganizationsModule } from './organizations/organizations.module.js';
import { deletionsReactor, lateTeamsReactor, rosterReactor } from './organizations/organizations.reactor.js';
import { OperationalIndexes } from './operational-indexes.js';
import { PrincipalAnnouncer } from './principals/principal.announcer.js';
import { principalsReactor } from './principals/principals.reactor.js';
import { SAMLModule } from './saml/saml.module.js';
import { arrivalsReactor } from './saml/saml.reactor.js';
import { samlProviders } from './sso/saml-provider.projection.js';
import { recordRecovery } from './sso/record-recovery.process.js';
import { SSOModule } from './sso/sso.module.js';
import { identityStandings } from './standings.js';
import { teamMembers } from './teams/team-member.projection.js';
import { teamPlaces } from './teams/team-place.projection.js';
import { teams } from './teams/team.projection.js';
import { TeamsModule } from './teams/teams.module.js';
import { teamsReactor } from './teams/teams.reactor.js';
import { tokens } from './tokens/token.projection.js';
import { TokensModule } from './tokens/tokens.module.js';
import { users } from './users/user.projection.js';
import { UsersModule } from './users/users.module.js';

/** All that makes the identity service. */
export const identity: ServiceDefinition = {
  service: 'identity',
  modules: [
    UsersModule,
    ErasureModule,
    TokensModule,
    OrganizationsModule,
    MembersModule,
    TeamsModule,
    InvitesModule,
    LinkInvitesModule,
    SSOModule,
    SAMLModule,
    AgentInstructionsModule,
    AuditModule,
    ChangesModule,
    InstallationModule,
    SessionsModule,
    SignInModule,
    PasswordsModule,
  ],
  operator: identityOperator,
  projections: [
    users,
    tokens,
    organizations,
    members,
    teams,
    teamMembers,
    teamPlaces,
    pendingInvites,
    linkInviteDocs,
    samlProviders,
    agentInstructionsDocs,
    auditEvents,
  ],
  assemble(context) {
    const announcer = new PrincipalAnnouncer(context);
    const lastSeen = new LastSeen(context, systemClock);
    const strength = new PasswordStrength();
    return {
      providers: [
        { provide: PrincipalAnnouncer, useValue: announcer },
        { provide: LastSeen, useValue: lastSeen },
        { provide: OperationalIndexes, useValue: new OperationalIndexes(context) },
        { provide: PasswordHashing, useValue: new PasswordHashing() },
        { provide: PasswordStrength, useValue: strength },
        { provide: Sweeper, useValue: new Sweeper(context) },
      ],
      reactors: [
        rosterReactor(context),
        deletionsReactor(context, lastSeen),
        lateTeamsReactor(context),
        teamsReactor(context),
        seenReactor(lastSeen),
        newcomersReactor(context),
        invitationsReactor(context),
        membersReactor(context),
        acceptedReactor(context),
        principalsReactor(context, announcer),
        mailReactor(context),
        noticesReactor(context),
        erasuresReactor(context),
        lateMembersReactor(context),
        arrivalsReactor(context),
      ],
      reservations: [addresses(context), hostnames(context)],
      timers: { [sendMail]: mailHandler(context, createPostOffice(context)), [sweep]: sweepHandler(context), [secondLook]: secondLookHandler(context) },
      standings: () => identityStandings(context),
      recovered: (call, params) => recordRecovery(context, call, params['organizationId'] ?? ''),
      stop() {
        announcer.stop();
        void strength.stop();
      },
    };
  },
};

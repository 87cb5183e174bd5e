import { nodeAccess } from '@scriptorium/access';
import { systemClock } from '@scriptorium/event-sourcing';
import { defineDomain } from '@scriptorium/platform';
import { MailFiles } from '../mail/index.js';
import { ContentNodes } from './spaces/content-nodes.queries.js';
import { SpaceCounts } from './spaces/space-counts.queries.js';
import { organizationsAccess } from './access.js';
import { DeletionController } from './deletion/deletion.controller.js';
import { deletionsReactor } from './deletion/deletion.reactor.js';
import { InvitesController } from './invitations/invites.controller.js';
import {
  acceptedReactor,
  invitationsReactor,
  membersReactor,
  newcomersReactor,
} from './invitations/invites.reactor.js';
import { pendingInvites } from './invitations/pending-invite.projection.js';
import { JoiningController } from './joining/joining.controller.js';
import { linkInviteDocs } from './link-invitations/link-invite.projection.js';
import { LinkInvitesController } from './link-invitations/link-invites.controller.js';
import { linksOfPurgedReactor, linksOfTransferredReactor } from './link-invitations/link-invites.reactor.js';
import { acceptByActing } from './roster/accept-membership.process.js';
import { LastSeen, lastSeenIndexes } from './members/last-seen.operational.js';
import { MemberSources } from './members/member-sources.queries.js';
import { MembersController } from './members/members.controller.js';
import { accountKindsReactor, seenReactor } from './members/members.reactor.js';
import { hostnames } from './settings/hostnames.reservation.js';
import { OrganizationsController } from './settings/organizations.controller.js';
import { knownSites } from './settings/known-site.projection.js';
import { defaultSitesReactor, rosterReactor } from './settings/organizations.reactor.js';

/** Organizations: settings, members, invitations, and how people join. `nodeAccess` is made from events of content. */
export const organizations = defineDomain({
  name: 'organizations',
  controllers: [
    OrganizationsController,
    MembersController,
    InvitesController,
    LinkInvitesController,
    JoiningController,
    DeletionController,
  ],
  projections: [nodeAccess, pendingInvites, linkInviteDocs, knownSites],
  indexes: lastSeenIndexes,
  objects: ({ context }) => {
    const lastSeen = new LastSeen(context, systemClock);
    const nodes = new ContentNodes(context);
    const spaceCounts = new SpaceCounts(nodes);
    return [lastSeen, nodes, spaceCounts, new MemberSources(lastSeen, spaceCounts)];
  },
  reactors: ({ context, use }) => [
    rosterReactor(context),
    deletionsReactor(context, use(LastSeen)),
    seenReactor(use(LastSeen)),
    accountKindsReactor,
    newcomersReactor(context),
    invitationsReactor(context),
    membersReactor(context),
    acceptedReactor(context, use(MailFiles)),
    linksOfPurgedReactor,
    linksOfTransferredReactor,
    defaultSitesReactor,
  ],
  reservations: () => [hostnames],
  resolvers: ({ use }) => organizationsAccess(use(ContentNodes)),
  changed: () => acceptByActing,
});

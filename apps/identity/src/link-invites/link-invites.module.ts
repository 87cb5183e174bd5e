import { Module } from '@scriptorium/platform';
import { LinkInvitesController } from './link-invites.controller.js';

@Module({ controllers: [LinkInvitesController] })
export class LinkInvitesModule {}

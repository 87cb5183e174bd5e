import { Module } from '@scriptorium/platform';
import { InvitesController } from './invites.controller.js';

@Module({ controllers: [InvitesController] })
export class InvitesModule {}

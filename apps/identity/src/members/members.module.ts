import { Module } from '@scriptorium/platform';
import { MembersController } from './members.controller.js';

@Module({ controllers: [MembersController] })
export class MembersModule {}

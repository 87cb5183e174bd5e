import { Module } from '@scriptorium/platform';
import { JoiningController } from './joining.controller.js';
import { MembersController } from './members.controller.js';

@Module({ controllers: [MembersController, JoiningController] })
export class MembersModule {}

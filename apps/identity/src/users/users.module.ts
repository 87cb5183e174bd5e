import { Module } from '@scriptorium/platform';
import { UsersController } from './users.controller.js';

@Module({ controllers: [UsersController] })
export class UsersModule {}

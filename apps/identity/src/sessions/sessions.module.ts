import { Module } from '@scriptorium/platform';
import { SessionsController } from './sessions.controller.js';

@Module({ controllers: [SessionsController] })
export class SessionsModule {}

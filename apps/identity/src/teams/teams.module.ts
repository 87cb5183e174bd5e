import { Module } from '@scriptorium/platform';
import { TeamsController } from './teams.controller.js';

@Module({ controllers: [TeamsController] })
export class TeamsModule {}

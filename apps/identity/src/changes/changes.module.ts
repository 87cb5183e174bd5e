import { Module } from '@scriptorium/platform';
import { ChangesController } from './changes.controller.js';

@Module({ controllers: [ChangesController] })
export class ChangesModule {}

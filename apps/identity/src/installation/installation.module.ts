import { Module } from '@scriptorium/platform';
import { InstallationController } from './installation.controller.js';

@Module({ controllers: [InstallationController] })
export class InstallationModule {}

import { Module } from '@scriptorium/platform';
import { OrganizationsController } from './organizations.controller.js';

@Module({ controllers: [OrganizationsController] })
export class OrganizationsModule {}

import { Module } from '@scriptorium/platform';
import { AuditController } from './audit.controller.js';

@Module({ controllers: [AuditController] })
export class AuditModule {}

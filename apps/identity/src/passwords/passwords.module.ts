import { Module } from '@scriptorium/platform';
import { PasswordsController } from './passwords.controller.js';

@Module({ controllers: [PasswordsController] })
export class PasswordsModule {}

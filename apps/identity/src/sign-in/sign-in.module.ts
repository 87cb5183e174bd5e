import { Module } from '@scriptorium/platform';
import { SignInController } from './sign-in.controller.js';

@Module({ controllers: [SignInController] })
export class SignInModule {}

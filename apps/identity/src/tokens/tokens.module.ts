import { Module } from '@scriptorium/platform';
import { AuthenticationController } from './authentication.controller.js';
import { TokensController } from './tokens.controller.js';

@Module({ controllers: [TokensController, AuthenticationController] })
export class TokensModule {}

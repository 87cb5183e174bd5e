import { Module } from '@scriptorium/platform';
import { SAMLProvidersController } from './saml-providers.controller.js';
import { SSOController } from './sso.controller.js';

@Module({ controllers: [SAMLProvidersController, SSOController] })
export class SSOModule {}

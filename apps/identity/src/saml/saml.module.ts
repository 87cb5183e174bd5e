import { Module } from '@scriptorium/platform';
import { SAMLController } from './saml.controller.js';

@Module({ controllers: [SAMLController] })
export class SAMLModule {}

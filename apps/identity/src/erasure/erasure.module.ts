import { Module } from '@scriptorium/platform';
import { ErasureController } from './erasure.controller.js';

@Module({ controllers: [ErasureController] })
export class ErasureModule {}

import { Module } from '@scriptorium/platform';
import { AgentInstructionsController } from './agent-instructions.controller.js';

@Module({ controllers: [AgentInstructionsController] })
export class AgentInstructionsModule {}

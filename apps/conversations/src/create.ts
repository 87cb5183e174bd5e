import { startService, type App, type ProcessContext, type ServiceConfig } from '@scriptorium/platform';
import { conversations } from './service.js';

/** Starts conversations within a process; several may run in one. */
export function create(config: ServiceConfig, process: ProcessContext): Promise<App> {
  return startService(conversations, config, process);
}

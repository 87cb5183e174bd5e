import { startService, type App, type ProcessContext, type ServiceConfig } from '@scriptorium/platform';
import { collaboration } from './service.js';

/** Starts collaboration within a process; several may run in one. */
export function create(config: ServiceConfig, process: ProcessContext): Promise<App> {
  return startService(collaboration, config, process);
}

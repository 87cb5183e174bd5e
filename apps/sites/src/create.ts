import { startService, type App, type ProcessContext, type ServiceConfig } from '@scriptorium/platform';
import { sites } from './service.js';

/** Starts sites within a process; several may run in one. */
export function create(config: ServiceConfig, process: ProcessContext): Promise<App> {
  return startService(sites, config, process);
}

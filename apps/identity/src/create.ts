import { startService, type App, type ProcessContext, type ServiceConfig } from '@scriptorium/platform';
import { identity } from './service.js';

/** Starts identity within a process; several may run in one. */
export function create(config: ServiceConfig, process: ProcessContext): Promise<App> {
  return startService(identity, config, process);
}

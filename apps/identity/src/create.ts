import { startService, type App, type ProcessContext, type ServiceConfig } from '@scriptorium/platform';
import { identity } from './service.js';

/** Starts the identity service. Several services may run in one process. */
export function create(config: ServiceConfig, process: ProcessContext): Promise<App> {
  return startService(identity, config, process);
}

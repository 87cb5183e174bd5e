import { startService, type App, type ProcessContext, type ServiceConfig } from '@scriptorium/platform';
import { integrations } from './service.js';

/** Starts integrations within a process; several may run in one. */
export function create(config: ServiceConfig, process: ProcessContext): Promise<App> {
  return startService(integrations, config, process);
}

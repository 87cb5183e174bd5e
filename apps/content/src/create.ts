import { startService, type App, type ProcessContext, type ServiceConfig } from '@scriptorium/platform';
import { content } from './service.js';

/** Starts content within a process; several may run in one. */
export function create(config: ServiceConfig, process: ProcessContext): Promise<App> {
  return startService(content, config, process);
}

import { pathToFileURL } from 'node:url';
import { parseConfig, serviceSettings } from '@scriptorium/platform/config';
import type { App } from '@scriptorium/platform';
import { runProcess, type ProcessContext } from '@scriptorium/platform/process';
import * as z from 'zod';
import { createScript, settingsOf } from '../apps.js';
import { createHost } from './host-apps.js';
import { isOrder } from './orders.js';

type Config = z.output<z.ZodObject<typeof serviceSettings>>;

/** The exports of `dist/create.js` of a service. */
interface ServiceModule {
  create(config: Config, process: ProcessContext): Promise<App>;
}

const settings = {
  ...serviceSettings,
  SERVICES: z.string().transform((names) => names.split(',').filter((name) => name !== '')),
};

await runProcess(
  'services',
  () => parseConfig(settings, process.env),
  async (config, context) => {
    const host = createHost(async (name) => {
      const module = (await import(pathToFileURL(createScript(name)).href)) as ServiceModule;
      const own = parseConfig(await settingsOf(name), process.env);
      return module.create({ ...config, ...own }, context);
    });
    process.on('message', (message) => {
      if (isOrder(message)) void host.obey(message).then((answer) => process.send?.(answer));
    });
    await host.startAll(config.SERVICES);
    return [host.app];
  },
);

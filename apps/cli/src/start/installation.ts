import { ConfigError } from '@scriptorium/platform/config';
import { exitCodes } from '../exit-codes.js';
import type { DataFolder } from '../installation/data-folder.js';
import { secretKeys } from '../installation/secret-keys.js';
import type { StartSettings } from '../settings.js';
import { StopError } from '../stop-error.js';
import type { Child, GivenUp } from '../supervisor/child.js';
import { serveControl, type Control } from '../supervisor/control.js';
import type { Output } from '../supervisor/output.js';
import { createSupervisor, type Supervisor } from '../supervisor/supervisor.js';
import { serviceEnvironment, type Addresses } from './environment.js';
import { createDevTakeovers } from './dev-takeovers.js';
import { planProcesses } from './plan.js';

export interface InstallationInput {
  settings: StartSettings;
  services: readonly string[];
  isolated: boolean;
  addresses: Addresses;
  folder: DataFolder;
  environment: NodeJS.ProcessEnv;
  output: Output;
}

/** An installation on this machine: its processes and their addresses. */
export interface Installation {
  settings: StartSettings;
  services: readonly string[];
  addresses: Addresses;
  folder: DataFolder;
  output: Output;
  supervisor: Supervisor;
  control: Control;
  /** The environment of its services, including the keys. */
  environment: Record<string, string>;
  /** Whether mail is written to the data folder, as there is no mail server. */
  isMailKept: boolean;
  stop(withinMs: number): Promise<void>;
}

/** Creates an installation. Only the port for orders is open; no process runs yet. */
export async function createInstallation(input: InstallationInput): Promise<Installation> {
  const { settings, services, isolated, addresses, folder, output } = input;
  const keys = settings.SECRET_KEYS ?? (await secretKeys(folder.secretKeys));
  const environment = serviceEnvironment(settings, addresses, keys);
  const child = (name: string): Child | undefined => find(supervisor.children, name);
  const takeovers = createDevTakeovers({ services, isolated, output, child });
  const plan = planProcesses({
    services,
    isolated,
    addresses,
    environment,
    inherited: input.environment,
    logFormat: output.readable ? 'pretty' : 'json',
    dataFolder: folder.path,
    runFile: folder.run,
    isTakenOver: (service) => takeovers.isTakenOver(service),
  });
  const supervisor = createSupervisor(plan, {
    output,
    failure: failureOf,
    onMessage: (_child, message) => takeovers.onMessage(message),
  });
  const control = await serveControl((service) => takeovers.begin(service));
  return {
    settings,
    services,
    addresses,
    folder,
    output,
    supervisor,
    control,
    environment,
    isMailKept: (input.environment['SMTP_URL'] ?? '') === '',
    async stop(withinMs) {
      takeovers.close();
      await supervisor.stop(withinMs);
      await control.stop();
    },
  };
}

function failureOf(message: string, why: GivenUp): Error {
  if (why === 'setting') return new ConfigError(message);
  return new StopError(message, undefined, why === 'defect' ? exitCodes.defect : exitCodes.failed);
}

function find(children: readonly Child[], name: string): Child | undefined {
  return children.find((child) => child.name === name);
}

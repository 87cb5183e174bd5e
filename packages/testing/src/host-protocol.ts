import type { FirstRun, RigConfig } from './rig.js';

/** Where the host of rigs listens; it is set for the processes in which specs run. */
export const hostVariable = 'RIG_HOST_URL';

/** The URLs of the servers that all rigs of a run share. */
export type ServerUrls = Pick<RigConfig, 'EVENTSTORE_URL' | 'MONGODB_URL' | 'NATS_URL'>;

/** What a spec needs of an installation. Without anything, it shares one with the other specs of the run. */
export interface InstallationRequest {
  /** Further variables of the environment of the services. */
  variables?: Readonly<Record<string, string>>;
  /** The services, the first one that of the specs; those of the workspace unless told otherwise. */
  services?: readonly string[];
  /** Settings of the gateway. */
  gateway?: Readonly<Record<string, unknown>>;
  /** No other spec uses it. */
  alone?: boolean;
}

/** A running installation. */
export interface InstallationAnswer {
  endpoint: string;
  first: FirstRun;
  config: RigConfig;
  /** It was started for this request, and is stopped by who asked. */
  alone: boolean;
}

/** Longer than a start of servers and services takes on a busy machine. */
const withinMs = 120_000;

/** Asks the host of rigs. @throws Error with what the host says when it refuses */
export async function askHost<R>(method: string, path: string, body?: object): Promise<R> {
  const url = process.env[hostVariable];
  if (url === undefined)
    throw new Error('No host of rigs: the Jest configuration of this workspace has no globalSetup');
  const signal = AbortSignal.timeout(withinMs);
  const response = await fetch(url + path, { method, signal, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`The host of rigs refused ${method} ${path}: ${text}`);
  return JSON.parse(text) as R;
}

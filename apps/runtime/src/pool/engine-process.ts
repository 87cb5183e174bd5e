import type { Outbound } from '@scriptorium/platform';
import { type Egress, type OutgoingRequest, startEgress } from '../egress/egress.js';
import type { ApiAddress } from '../egress/to-api.js';
import { startCollector, type TraceCollector } from '../traces/collect.js';
import type { RawTrace } from '../traces/trace.js';
import { type Child, startChild } from './child.js';
import { removeFolder, socketsIn, writeFolder } from './engine-folder.js';
import { createPinger, type Pinger } from './ping.js';

export interface EngineOptions {
  binary: string;
  /** A folder that is not there yet. */
  folder: string;
  /** The file of the script. */
  script: string;
  heapMb: number;
  memoryMb: number;
  api: ApiAddress;
  createOutbound: () => Outbound;
  onTrace: (call: string, trace: RawTrace) => void;
  onRequest: (request: OutgoingRequest) => void;
}

/** A process of the engine with the sockets around it. */
export interface EngineProcess extends Child {
  readonly pinger: Pinger;
}

export interface EngineExit {
  said: string;
  wasListening: boolean;
}

/** Starts the engine on a script. Everything is gone when `exited` is fulfilled. */
export async function startEngine(options: EngineOptions): Promise<EngineProcess & { exited: Promise<EngineExit> }> {
  const { folder, binary, script, heapMb, memoryMb, api, createOutbound, onTrace, onRequest } = options;
  const sockets = socketsIn(folder);
  const parts: { egress?: Egress; collector?: TraceCollector } = {};
  const clear = async (): Promise<void> => {
    await Promise.all([parts.egress?.close(), parts.collector?.close()]);
    await removeFolder(folder);
  };
  try {
    await writeFolder(folder, script, heapMb);
    parts.egress = await startEgress({ path: sockets.egress, api, outbound: createOutbound(), observe: onRequest });
    parts.collector = await startCollector(sockets.traces, onTrace);
  } catch (error) {
    await clear();
    throw error;
  }
  const child = startChild(binary, folder, memoryMb);
  const pinger = createPinger(sockets.ping);
  let wasListening = false;
  const listening = child.listening.then(() => void (wasListening = true));
  const exited = child.exited.then(async ({ said }) => {
    pinger.close();
    await clear();
    return { said, wasListening };
  });
  return { ...child, listening, exited, pinger };
}

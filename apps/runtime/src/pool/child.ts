import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { certificateFile, configFile, socketNames } from './engine-folder.js';

/** A process of the engine. */
export interface Child {
  readonly pid: number | undefined;
  /** Fulfilled when it listens. Rejects never; `exited` tells when it has ended before. */
  readonly listening: Promise<void>;
  readonly exited: Promise<Exit>;
  kill(): void;
}

export interface Exit {
  /** The end of what it has written. */
  said: string;
}

const keptCharacters = 8 * 1024;
/** What the engine reserves before the script has anything (measured). */
const reservedMb = 550;
const setpriv = '/usr/bin/setpriv';
const prlimit = '/usr/bin/prlimit';

/** Starts the engine with an empty environment, without input, in the folder that it may read. */
export function startChild(binary: string, folder: string, memoryMb: number): Child {
  const words = [...confinement(memoryMb), binary, 'serve', '--control-fd=3', configFile];
  const [command = binary, ...args] = words;
  const child = spawn(command, args, {
    cwd: folder,
    env: certificatesOf(folder),
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const tail = tailOf(child.stderr);
  const exited = new Promise<Exit>((resolve) => {
    child.once('error', (error) => resolve({ said: error.message }));
    child.once('close', () => resolve({ said: tail() }));
  });
  return {
    pid: child.pid,
    listening: listening(child),
    exited,
    kill: () => void child.kill('SIGKILL'),
  };
}

/**
 * What Linux can do in addition, where its usual tools are there: the process ends with this one, gains no rights,
 * leaves no image of its memory, and gets no more memory than its bound.
 */
function confinement(memoryMb: number): string[] {
  const limit = (reservedMb + memoryMb) * 1024 * 1024;
  return [
    ...(existsSync(setpriv) ? [setpriv, '--pdeathsig', 'KILL', '--no-new-privs', '--'] : []),
    ...(existsSync(prlimit) ? [prlimit, '--core=0', `--data=${limit}`, '--'] : []),
  ];
}

/**
 * The engine does not start where the system has no certificates, as in small containers, though it makes no connection
 * that needs one. There it gets a file with one.
 */
function certificatesOf(folder: string): Record<string, string> {
  const isThere = process.platform !== 'linux' || systemCertificates.some((path) => existsSync(path));
  return isThere ? {} : { SSL_CERT_FILE: join(folder, certificateFile) };
}

const systemCertificates = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

function listening({ stdio }: ChildProcess): Promise<void> {
  const control = stdio[3] as Readable | null | undefined;
  return new Promise((resolve) => {
    let told = '';
    control
      ?.on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        if (told.length < keptCharacters) told += chunk.toString('utf8');
        if (socketNames.every((name) => told.includes(`"socket":"${name}"`))) resolve();
      });
  });
}

/** Reads on for ever, so that the process never waits for that, and keeps the end. */
function tailOf(stream: Readable | null): () => string {
  let kept = '';
  stream
    ?.on('error', () => undefined)
    .on('data', (chunk: Buffer) => {
      kept = (kept + chunk.toString('utf8')).slice(-keptCharacters);
    });
  return () => kept;
}

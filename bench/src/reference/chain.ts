import { fork, spawn, type ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { startNatsServer } from '@scriptorium/embedded/nats';
import * as z from 'zod';
import { freePort } from '@scriptorium/embedded/free-port';
import type { Cleanup } from '../processes/cleanup.js';
import { findProgram, repositoryFile } from '../processes/paths.js';
import { waitFor } from '../processes/wait-for.js';

/** The chain that all goals are ratios of: Fastify, a stock NATS request, a constant reply. */
export interface ReferenceChain {
  endpoint: string;
  /** Whether the official NATS server carries it: otherwise there are figures but no verdicts. */
  official: boolean;
}

const Ready = z.object({ ready: z.literal(true), port: z.int().optional() });
const readyWithinMs = 15_000;

export async function startReference(cleanup: Cleanup): Promise<ReferenceChain> {
  const program = findProgram('nats-server');
  const url = program === undefined ? await embeddedNats(cleanup) : await officialNats(program, cleanup);
  await startPart('responder', url, cleanup);
  const { port } = await startPart('gateway', url, cleanup);
  return { endpoint: `http://127.0.0.1:${port}`, official: program !== undefined };
}

async function officialNats(program: string, cleanup: Cleanup): Promise<string> {
  const port = await freePort();
  const server = spawn(program, ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  cleanup.add(() => void server.kill('SIGKILL'));
  await waitFor('nats-server to listen', () => listens(port), readyWithinMs);
  return `nats://127.0.0.1:${port}`;
}

async function embeddedNats(cleanup: Cleanup): Promise<string> {
  const server = await startNatsServer({ host: '127.0.0.1', port: 0, auth: 'none' });
  cleanup.add(() => server.stop());
  return server.url;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function startPart(name: string, url: string, cleanup: Cleanup): Promise<z.output<typeof Ready>> {
  const child = fork(repositoryFile(`bench/dist/reference/${name}.js`), {
    env: { PATH: process.env['PATH'], NATS_URL: url },
    execArgv: [],
  });
  cleanup.add(() => void child.kill('SIGKILL'));
  return Ready.parse(await firstMessage(child, name));
}

function firstMessage(child: ChildProcess, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`The reference's ${name} was not ready within ${readyWithinMs} ms`)),
      readyWithinMs,
    );
    child.once('message', (message) => {
      clearTimeout(late);
      resolve(message);
    });
    child.once('exit', (code) => {
      clearTimeout(late);
      reject(new Error(`The reference's ${name} ended with ${code}`));
    });
  });
}

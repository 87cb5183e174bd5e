import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { Child } from './child.js';

const Report = z.object({
  ready: z.boolean(),
  apps: z.array(
    z.object({
      app: z.string(),
      checks: z.array(
        z.object({
          name: z.string(),
          ok: z.boolean(),
          degraded: z.boolean().optional(),
          detail: z.string().optional(),
        }),
      ),
    }),
  ),
});

const requestMs = 1_000;
const pollMs = 50;
const progressMs = 2_000;

export interface ReadinessOptions {
  adminHost: string;
  /** The address of the gateway, whose own `/readyz` is checked last; undefined to skip that. */
  gateway?: string;
  signal: AbortSignal;
  /** Called every 2 s with what is not ready, and the seconds since the beginning. */
  onWaiting(what: string, seconds: number): void;
}

/**
 * Waits until these processes, and the gateway at its own address, report that they are ready. Rejects when aborted.
 */
export async function untilReady(children: readonly Child[], options: ReadinessOptions): Promise<void> {
  const started = performance.now();
  let shown = started;
  for (;;) {
    const missing = await firstMissing(children, options);
    if (missing === undefined) return;
    if (performance.now() - shown >= progressMs) {
      shown = performance.now();
      options.onWaiting(missing, Math.round((shown - started) / 1000));
    }
    await delay(pollMs, undefined, { signal: options.signal });
  }
}

async function firstMissing(children: readonly Child[], options: ReadinessOptions): Promise<string | undefined> {
  for (const child of children) {
    const port = child.adminPort();
    if (!child.isReady() || port === undefined) return child.name;
    const problem = await problemOf(`http://${urlHost(options.adminHost)}:${port}/readyz`, options.signal);
    if (problem !== undefined) return `${child.name} (${problem})`;
  }
  if (options.gateway === undefined) return undefined;
  const answer = await get(`${options.gateway}/readyz`, options.signal);
  return answer?.ok === true ? undefined : `the gateway at ${options.gateway}`;
}

/** Why a process is not ready, by its `/readyz`; undefined when it is. */
export async function problemOf(url: string, signal: AbortSignal): Promise<string | undefined> {
  const answer = await get(url, signal);
  if (answer === undefined) return 'no answer';
  if (answer.ok) return undefined;
  const report = Report.safeParse(answer.body);
  const failing = report.data?.apps
    .flatMap(({ checks }) => checks)
    .find(({ ok, degraded = false }) => !ok && !degraded);
  return failing === undefined
    ? 'not ready'
    : [failing.name, failing.detail].filter((part) => part !== undefined).join(': ');
}

interface Answer {
  ok: boolean;
  /** The parsed JSON, or the text if it is not JSON. */
  body: unknown;
}

async function get(url: string, signal: AbortSignal): Promise<Answer | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]) });
    const text = await response.text();
    return { ok: response.ok, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text };
  } catch {
    return undefined;
  }
}

/** A host in the form of URLs. */
export function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

import type { Caller } from './caller.js';
import type { Findings } from './findings.js';
import type { Memory } from './memory.js';
import type { Random } from './random.js';

export interface ReaderParts {
  memory: Memory;
  caller: Caller;
  random: Random;
  findings: Findings;
  stopped: () => boolean;
}

/** Reads what is there for sure, again and again: each read must be answered. */
export async function runReader({ memory, caller, random, findings, stopped }: ReaderParts): Promise<void> {
  const organization = `/v1/orgs/${memory.organization}`;
  const paths = [
    organization,
    `${organization}/members`,
    `${organization}/teams?limit=5`,
    `${organization}/members/${memory.staying[0]?.id ?? ''}`,
    '/v1/user',
    '/v1/orgs',
  ];
  while (!stopped()) {
    const path = random.pick(paths);
    const began = performance.now();
    const outcome = await caller.call({ method: 'GET', path });
    const took = performance.now() - began;
    findings.count(`reads ${outcome.kind}`);
    if (took > 1_000) findings.count('reads of more than a second');
    if (outcome.kind !== 'done')
      findings.report(`a read failed after ${Math.round(took)} ms: ${path} ${JSON.stringify(outcome)}`);
  }
}

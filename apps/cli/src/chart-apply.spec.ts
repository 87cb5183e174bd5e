import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { tempFolders } from './test/temp-folder.js';

const helm = fileURLToPath(new URL('../../../infra/helm/', import.meta.url));
const newFolder = tempFolders();

function program(folder: string, name: string, lines: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
}

/** Runs a program of infra/helm to its end. */
function run(command: string, words: readonly string[], environment: Record<string, string> = {}) {
  const path = `${environment['PATH'] ?? ''}:${dirname(process.execPath)}:/usr/bin:/bin`;
  const { status, stdout, stderr } = spawnSync(command, words, {
    env: { ...environment, PATH: path },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}

/** Programs that stand for the servers and for kubectl; the last one accepts all but what `refuses` says. */
function servers(refuses: string): string {
  const folder = newFolder();
  for (const name of ['etcd', 'kube-apiserver']) program(folder, name, 'exec sleep 60');
  program(
    folder,
    'kubectl',
    [
      'case "$*" in',
      `*--filename=-*) text=$(cat); case "$text" in ${refuses} esac; echo "$text" | grep "^kind: " ;;`,
      `*version*) echo '{ "serverVersion": { "gitVersion": "v1.0.0" } }' ;;`,
      '*) cat >/dev/null ;;',
      'esac',
    ].join('\n'),
  );
  return folder;
}

describe('infra/helm/apply.sh', () => {
  it('ends when one of the programs cannot be built, with what the compiler says, and builds no other', () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'go.mod'), '\tgo.etcd.io/etcd/client/v3 v3.6.1\n');
    program(
      folder,
      'go',
      [
        `[ "$1 $2" = "mod download" ] && printf '{\\n\\t"GoMod": "${folder}/go.mod",\\n\\t"Dir": "${folder}",\\n}\\n'`,
        '[ "$1" = build ] || exit 0',
        'while [ "$1" != -o ]; do shift; done',
        'if [ "$2" = kube-apiserver ]; then echo "no space left" >&2; exit 1; fi',
        'touch "$2"; chmod +x "$2"',
      ].join('\n'),
    );
    const { status, stderr } = run(join(helm, 'apply.sh'), [], {
      PATH: folder,
      XDG_CACHE_HOME: folder,
      KUBERNETES_VERSION: '1.0.0',
    });
    expect([status, stderr]).toEqual([1, 'no space left\n']);
    for (const name of ['kubectl', 'etcd'])
      expect(existsSync(join(folder, 'scriptorium-kubernetes/1.0.0', name))).toBe(false);
  });
});

describe('infra/helm/apply.mjs', () => {
  const apply = (programs: string) => run(process.execPath, [join(helm, 'apply.mjs'), programs, 'crd.yaml']);

  it('ends with a line when a program cannot be started', () => {
    const folder = newFolder();
    const { status, stderr } = apply(folder);
    expect([status, stderr]).toEqual([1, `etcd ended: spawn ${join(folder, 'etcd')} ENOENT\n`]);
  });

  it('does not treat an error of another kind as a refusal', () => {
    const lost = apply(servers('*"  replica: "*) echo "connection refused" >&2; exit 1 ;;'));
    expect(lost.status).toBe(1);
    expect(lost.stderr).toMatch(/^the server does not refuse an unknown field for .*, but says connection refused\n/);
  });

  it('finds a server that refuses nothing', () => {
    expect(apply(servers('*nothing*) ;;')).stderr).toBe('the server does not refuse an unknown field\n');
  });

  it('accepts a server that refuses what it has to refuse', () => {
    const refuses = [
      `*"  replica: "*) echo 'strict decoding error: unknown field "spec.replica"' >&2; exit 1 ;;`,
      `*"Escalation: true"*) echo 'Warning: would violate PodSecurity "restricted:latest"' >&2; exit 1 ;;`,
      `*"instance: other"*) echo 'spec.selector: Invalid value: field is immutable' >&2; exit 1 ;;`,
    ];
    const { status, stdout, stderr } = apply(servers(refuses.join(' ')));
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.match(/^refused: /gm)).toHaveLength(3);
  });
});

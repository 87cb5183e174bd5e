// Run by apply.sh: applies the golden files to a kube-apiserver with etcd that it starts on this machine. No pods run:
// there are no controllers. What is checked is what the server checks: fields, values, what may not change, and the
// standard `restricted` of pods, whose warnings count as errors. usage: apply.mjs FOLDER-OF-PROGRAMS
// FILE-OF-CUSTOM-RESOURCES
import { spawn, execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const host = '127.0.0.1';
const namespace = 'docs';
const readyMs = 120_000;
const stopMs = 20_000;
const golden = (name) => readFileSync(new URL(`golden/${name}.yaml`, import.meta.url), 'utf8');
const run = promisify(execFile);

const [programs, customResources] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'scriptorium-apply-'));
const file = (name, text) => {
  writeFileSync(join(folder, name), text, { mode: 0o600 });
  return join(folder, name);
};
const started = [];
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void endAll().then(() => process.exit(1)));
try {
  const kubectl = await startServer();
  await prepare(kubectl);
  await applyAll(kubectl);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  await endAll();
}

/** Starts both servers; the result runs kubectl as somebody who may do everything. */
async function startServer() {
  const [client, peer, port] = [await freePort(), await freePort(), await freePort()];
  const etcd = `http://${host}:${client}`;
  const among = `http://${host}:${peer}`;
  start('etcd', [
    `--data-dir=${join(folder, 'etcd')}`,
    ...[`--listen-client-urls=${etcd}`, `--advertise-client-urls=${etcd}`],
    ...[`--listen-peer-urls=${among}`, `--initial-advertise-peer-urls=${among}`, `--initial-cluster=default=${among}`],
    '--unsafe-no-fsync',
  ]);
  const certificates = join(folder, 'certificates');
  const token = randomBytes(24).toString('base64url');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = file('service-accounts.pem', privateKey.export({ type: 'pkcs1', format: 'pem' }));
  start('kube-apiserver', [
    ...[`--etcd-servers=${etcd}`, `--bind-address=${host}`, `--secure-port=${port}`, `--cert-dir=${certificates}`],
    ...[`--token-auth-file=${file('tokens.csv', `${token},admin,1,system:masters\n`)}`, '--authorization-mode=RBAC'],
    ...[`--service-account-key-file=${key}`, `--service-account-signing-key-file=${key}`],
    ...['--service-account-issuer=https://localhost', '--service-cluster-ip-range=10.0.0.0/24'],
    '--endpoint-reconciler-type=none',
  ]);
  const settings = {
    clusters: [
      {
        name: 'own',
        cluster: { server: `https://${host}:${port}`, 'certificate-authority': join(certificates, 'apiserver.crt') },
      },
    ],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'own', context: { cluster: 'own', user: 'admin', namespace } }],
    'current-context': 'own',
  };
  const config = file('config', JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...settings }));
  const kubectl = async (words, input = '') => {
    const command = run(join(programs, 'kubectl'), ['--kubeconfig', config, '--request-timeout=30s', ...words], {
      timeout: 60_000,
      maxBuffer: 64 * 1024 * 1024,
    });
    // A kubectl that ends before it has read its input says by its exit what was wrong.
    command.child.stdin.on('error', () => undefined).end(input);
    return (await command).stdout;
  };
  await until('the server is ready', () => kubectl(['get', '--raw', '/readyz']));
  return kubectl;
}

/** A namespace whose server warns of each pod that is not as restricted as the strictest standard wants it. */
async function prepare(kubectl) {
  const { serverVersion } = JSON.parse(await kubectl(['version', '--output=json']));
  say(`kube-apiserver ${serverVersion.gitVersion}`);
  await kubectl(['create', 'namespace', namespace]);
  await kubectl([
    'label',
    'namespace',
    namespace,
    ...['warn', 'enforce'].map((as) => `pod-security.kubernetes.io/${as}=restricted`),
  ]);
  await kubectl(['apply', '--server-side', `--filename=${customResources}`]);
  await kubectl(['wait', '--for=condition=Established', '--timeout=60s', 'crd/servicemonitors.monitoring.coreos.com']);
}

/**
 * Each golden file twice, so that the second time is one without a conflict; the larger one comes as an upgrade of the
 * smaller one.
 */
async function applyAll(kubectl) {
  const apply = async (text) =>
    (await kubectl(['apply', '--server-side', '--validate=strict', '--warnings-as-errors', '--filename=-'], text))
      .trim()
      .split('\n').length;
  for (const name of ['small', 'small', 'full', 'full', 'small']) {
    const wanted = golden(name).match(/^kind: /gm).length;
    const applied = await apply(golden(name));
    if (applied !== wanted) throw new Error(`${name}: ${applied} of ${wanted} objects were applied`);
    say(`${name}: ${applied} objects applied`);
  }
  await refused('an unknown field', /unknown field "spec\.replica"|\.spec\.replica: field not declared/, () =>
    apply(golden('small').replace(/^ {2}replicas: /m, '  replica: ')),
  );
  await refused('a pod with privileges', /would violate PodSecurity "restricted/, () =>
    apply(golden('small').replace('allowPrivilegeEscalation: false', 'allowPrivilegeEscalation: true')),
  );
  await refused('another selector', /spec\.selector: .*field is immutable/s, () =>
    apply(golden('small').replaceAll('app.kubernetes.io/instance: docs', 'app.kubernetes.io/instance: other')),
  );
}

/** An error of any other kind, such as that of a server that does not answer, is no refusal. */
async function refused(what, reason, change) {
  const said = await change().then(
    () => undefined,
    (error) => error.stderr || error.message,
  );
  if (said === undefined) throw new Error(`the server does not refuse ${what}`);
  if (!reason.test(said)) throw new Error(`the server does not refuse ${what} for ${reason}, but says ${said}`);
  say(`refused: ${what} (${said.trim().split('\n')[0].slice(0, 160)})`);
}

function start(name, words) {
  const child = spawn(join(programs, name), words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const log = createWriteStream(join(folder, `${name}.log`));
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  const entry = { name, child };
  // A program that cannot be started prints nothing.
  child.on('error', (error) => (entry.error ??= error));
  started.push(entry);
}

async function until(what, attempt) {
  const late = performance.now() + readyMs;
  for (;;) {
    const gone = started.find(({ child, error }) => error !== undefined || child.exitCode !== null);
    if (gone !== undefined) throw new Error(`${gone.name} ended: ${gone.error?.message ?? lastLines(gone.name)}`);
    const error = await attempt().then(
      () => undefined,
      (failure) => failure,
    );
    if (error === undefined) return;
    if (performance.now() > late) throw new Error(`${what}: not within ${readyMs} ms: ${error.message}`);
    await delay(250);
  }
}

function lastLines(name) {
  return readFileSync(join(folder, `${name}.log`), 'utf8').slice(-2_000);
}

async function endAll() {
  for (const { child } of started.splice(0).toReversed()) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), stopMs);
    await gone;
    clearTimeout(kill);
  }
  rmSync(folder, { recursive: true, force: true });
}

async function freePort() {
  const probe = createServer();
  probe.listen(0, host);
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

function say(what) {
  process.stdout.write(`${what}\n`);
}

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@scriptorium/testing';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ownTemp } from '../test/own-temp.js';
import { type RuntimeRig, startRuntimeRig } from '../test/runtime-rig.js';

/** Answers with the result of an expression, or with the error. */
const tell = (expression: string): string => `export default {
  async fetch(request, env, context) {
    try {
      return Response.json({ value: await (async () => (${expression}))() ?? null });
    } catch (error) {
      return Response.json({ error: String(error) });
    }
  },
};`;

describe('a script', () => {
  const temp = ownTemp();
  let rig: RuntimeRig;
  beforeAll(async () => {
    rig = await startRuntimeRig({ parts: { temp: temp.folder } });
  });
  afterAll(async () => {
    await rig.stop();
    temp.remove();
  });

  /** Each has an integration of its own. */
  const tried = async (expression: string, integration = 'tries'): Promise<{ value?: unknown; error?: string }> => {
    const { status, answer, error } = await rig.run(await rig.put(tell(expression)), { integration });
    if (status !== 200) return { error: error?.message ?? '' };
    return JSON.parse(answer.body.toString()) as { value?: unknown; error?: string };
  };

  it('finds an empty environment and no bindings', async () => {
    expect(await tried('process.env')).toEqual({ value: {} });
    expect(await tried("(await import('node:process')).env")).toEqual({ value: {} });
    expect(await tried('Object.keys(env)')).toEqual({ value: [] });
  });

  it.each([
    "fetch('file:///etc/passwd').then((r) => r.text())",
    "fetch('file:///proc/self/environ').then((r) => r.text())",
    "import('file:///etc/passwd')",
    "import('/proc/self/environ')",
    "import('./config.capnp')",
    "import('ping.js')",
    "(await import('node:fs')).readFileSync('/etc/passwd', 'utf8')",
    "(await import('node:fs')).readFileSync('/proc/self/environ', 'utf8')",
    "(await import('node:fs/promises')).readFile('/etc/passwd')",
    "(await import('node:fs/promises')).readFile('/bundle/../../etc/passwd')",
    "(await import('node:fs/promises')).readFile('/proc/self/environ')",
    "(await import('node:child_process')).execSync('id').toString()",
    "new (await import('node:worker_threads')).Worker('1', { eval: true })",
    "process.binding('fs')",
    "require('fs')",
    "eval('1')",
    "new Function('return 1')()",
    'new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))',
  ])('cannot reach files, processes or code at run time: %s', async (expression) => {
    const { value, error } = await tried(expression);
    expect([value, typeof error]).toEqual([undefined, 'string']);
  });

  it('sees an empty file system of the engine, and not that of the machine', async () => {
    expect((await tried("(await (await import('node:fs/promises')).readdir('/')).sort()")).value).toEqual([
      'bundle',
      'dev',
      'tmp',
    ]);
    expect((await tried("(await import('node:fs/promises')).readdir('/bundle')")).value).toEqual(['script.js']);
    expect((await tried("(await import('node:fs/promises')).readdir('/tmp')")).value).toEqual([]);
  });

  it.each([
    [
      'node:net',
      (port: number) =>
        `new Promise((done, fail) => { const s = net.connect(${port}, '127.0.0.1'); s.on('connect', () => done('connected')); s.on('error', fail); s.on('close', () => fail(new Error('closed'))); })`,
      "const net = await import('node:net');",
    ],
    [
      'cloudflare:sockets',
      (port: number) =>
        `(async () => { const s = sockets.connect('127.0.0.1:${port}'); await s.opened; return 'connected'; })()`,
      "const sockets = await import('cloudflare:sockets');",
    ],
    [
      'node:tls',
      (port: number) =>
        `new Promise((done, fail) => { const s = net.connect(${port}, '127.0.0.1'); s.on('secureConnect', () => done('connected')); s.on('error', fail); s.on('close', () => fail(new Error('closed'))); })`,
      "const net = await import('node:tls');",
    ],
    [
      'WebSocket',
      (port: number) =>
        `new Promise((done, fail) => { const s = new WebSocket('ws://127.0.0.1:${port}/'); s.addEventListener('open', () => done('connected')); s.addEventListener('error', () => fail(new Error('refused'))); s.addEventListener('close', () => fail(new Error('closed'))); })`,
      '',
    ],
    [
      'an upgrade',
      (port: number) =>
        `(async () => { const r = await fetch('http://127.0.0.1:${port}/', { headers: { upgrade: 'websocket' } }); if (r.status === 403) throw new Error('refused'); return r.status; })()`,
      '',
    ],
  ])('opens no connection by %s', async (_, expression, before) => {
    const connections: unknown[] = [];
    const server = createServer((socket) => connections.push(socket.destroy()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    try {
      const found = await tried(`(async () => { ${before} return ${expression(port)}; })()`);
      expect([found.value, typeof found.error]).toEqual([undefined, 'string']);
      expect(connections).toEqual([]);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('reaches no socket of another script, nor of its own process', async () => {
    await tried('1', 'other');
    const sockets = readdirSync(temp.folder, { recursive: true }).map((path) => join(temp.folder, String(path)));
    const paths = sockets.filter((path) => /\/\d+\/[cpet]$/.test(path));
    expect(paths.length).toBeGreaterThan(3);
    for (const path of paths.slice(0, 8)) {
      for (const url of [`unix:${path}`, `http://unix:${path}:/`, `http+unix://${encodeURIComponent(path)}/`]) {
        const { value } = await tried(
          `fetch(${JSON.stringify(url)}).then((r) => { if (r.status >= 400) throw new Error('refused'); return r.status; })`,
        );
        expect(value).toBeUndefined();
      }
      const { value } = await tried(
        `(async () => { const net = await import('node:net'); return new Promise((done, fail) => { const s = net.connect(${JSON.stringify(path)}); s.on('connect', () => done('connected')); s.on('error', fail); s.on('close', () => fail(new Error('closed'))); }); })()`,
      );
      expect(value).toBeUndefined();
    }
  }, 60_000);

  it('has a process with an empty environment, in a folder that nobody else can read', async () => {
    const { value } = await tried('1', 'process');
    expect(value).toBe(1);
    const own = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const engines = own.flatMap((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        const isEngine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0]?.endsWith('/workerd') ?? false;
        return isEngine && status.includes(`PPid:\t${process.pid}\n`) ? [{ pid, status }] : [];
      } catch {
        return [];
      }
    });
    expect(engines.length).toBeGreaterThan(0);
    for (const { pid, status } of engines) {
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toBe('');
      expect(status).toMatch(/NoNewPrivs:\s+1/);
      expect(readFileSync(`/proc/${pid}/limits`, 'utf8')).toMatch(/Max core file size\s+0 /);
    }
  });

  it('cannot put a header or a line into what its caller reads', async () => {
    const answering = async (headers: string) => {
      const source = `export default { fetch: () => new Response('body', { headers: ${headers} }) };`;
      return rig.run(await rig.put(source), { integration: 'headers' });
    };
    const broken = await answering("{ 'x-a': 'b\\r\\nscriptorium-call: forged' }");
    expect([broken.answer.status, broken.call.length]).toEqual([500, 36]);
    const { call, answer } = await answering(`{ 'scriptorium-call': 'forged', 'x-b': '"}\\\\n{' }`);
    expect([answer.status, answer.body.toString(), call.length]).toEqual([200, 'body', 36]);
    expect(answer.headers).toContainEqual(['x-b', '"}\\n{']);
  });

  it('shares nothing with other integrations that have the same text', async () => {
    const source = `export default { fetch() { globalThis.count = (globalThis.count ?? 0) + 1; return new Response(String(globalThis.count)); } };`;
    const hash = await rig.put(source);
    const counts = [];
    for (const integration of ['p', 'q', 'p'])
      counts.push((await rig.run(hash, { integration })).answer.body.toString());
    expect(counts).toEqual(['1', '1', '2']);
  });

  it('is ended with its runtime', async () => {
    const own = await startRuntimeRig();
    const hash = await own.put('export default { fetch: () => new Promise((done) => setTimeout(done, 60000)) };');
    const running = own.run(hash).catch(() => 'gone');
    await eventually(() => own.runtime.processes() === 1);
    await own.stop();
    expect(await running).toBe('gone');
  });
});

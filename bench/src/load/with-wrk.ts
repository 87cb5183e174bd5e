import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { Load, LoadResult } from './model.js';

const Summary = z.object({
  requests: z.number(),
  microseconds: z.number(),
  failures: z.number(),
  p50: z.number(),
  p99: z.number(),
});
const startMs = 10_000;

/** Runs wrk; where each connection has a request of its own, each is a thread, for wrk knows threads only. */
export async function runWrk(program: string, load: Load): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-wrk-'));
  try {
    const script = join(folder, 'load.lua');
    await writeFile(script, luaScript(load));
    const threads = load.perConnection ? load.connections : 1;
    const args = [
      '-t',
      String(threads),
      '-c',
      String(load.connections),
      '-d',
      `${load.seconds}s`,
      '--timeout',
      '10s',
      '-s',
      script,
      load.endpoint,
    ];
    const said = await outputOf(program, args, load.seconds * 1000 + startMs);
    const line = /^RESULT (.*)$/m.exec(said)?.[1];
    if (line === undefined) throw new Error(`wrk said no result: ${said}`);
    const { requests, microseconds, failures, p50, p99 } = Summary.parse(JSON.parse(line));
    return { rate: requests / (microseconds / 1e6), p50Ms: p50 / 1000, p99Ms: p99 / 1000, failures };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function luaScript({ requests, token, perConnection }: Load): string {
  const list = requests.map(
    ({ method, path, body, headers }) =>
      `  { ${quote(method)}, ${quote(path)}, ${body === undefined ? 'nil' : quote(body)}, ${luaTable(headers)} },`,
  );
  const authorization = token === undefined ? '' : `headers["Authorization"] = ${quote(`Bearer ${token}`)}`;
  return `
local requests = {
${list.join('\n')}
}
local headers = {}
headers["Content-Type"] = "application/json"
${authorization}
local function with(own, n)
  if own == nil then return headers end
  local all = {}
  for name, value in pairs(headers) do all[name] = value end
  for name, value in pairs(own) do all[name] = value:gsub("{n}", tostring(n)):gsub("{c}", tostring(id)) end
  return all
end
local threads = 0
local n = 0
local ready = {}
function setup(thread)
  thread:set("id", threads)
  threads = threads + 1
end
function init()
  for i, r in ipairs(requests) do
    if r[3] == nil then ready[i] = wrk.format(r[1], r[2], with(r[4], 0)) end
  end
end
function request()
  n = n + 1
  local i = (${perConnection ? 'id' : 'n'}) % #requests + 1
  if ready[i] then return ready[i] end
  local r = requests[i]
  return wrk.format(r[1], r[2], with(r[4], n), (r[3]:gsub("{n}", tostring(n))))
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('RESULT {"requests":%d,"microseconds":%d,"failures":%d,"p50":%d,"p99":%d}\\n',
    summary.requests, summary.duration, e.status + e.connect + e.read + e.write + e.timeout, latency:percentile(50), latency:percentile(99)))
end
`;
}

function luaTable(fields: Record<string, string> | undefined): string {
  if (fields === undefined) return 'nil';
  return `{ ${Object.entries(fields)
    .map(([name, value]) => `[${quote(name)}] = ${quote(value)}`)
    .join(', ')} }`;
}

/** A Lua string; JSON's escapes for what stands in paths, titles and tokens are Lua's too. */
function quote(text: string): string {
  return JSON.stringify(text);
}

function outputOf(program: string, args: readonly string[], withinMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: withinMs, killSignal: 'SIGKILL' });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-20_000);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(said) : reject(new Error(`wrk ended with ${code}: ${said}`))));
  });
}

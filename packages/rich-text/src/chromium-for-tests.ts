import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Readable, type Writable } from 'node:stream';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const ANSWER_MS = 45_000;

/** The browser of this machine: `CHROMIUM`, or the first known name on the search path; null when there is none. */
export function findChromium(): string | null {
  const named = process.env['CHROMIUM'];
  if (named) return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path)) ?? null;
}

type Message = {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string };
};
type Waiting = {
  resolve: (result: Record<string, unknown>) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
};

/** A headless browser with one page, driven over a pair of pipes: no port, no dependency. */
export class Chromium {
  /** What the page reported as errors: exceptions, failed loads, console errors. */
  readonly errors: string[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'rich-text-page-'));
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;
  private session: string | undefined;
  private rest = '';

  constructor(path: string) {
    const flags = [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--disable-background-networking',
      `--user-data-dir=${this.folder}`,
      '--remote-debugging-pipe',
      'about:blank',
    ];
    this.child = spawn(path, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    (this.child.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => this.receive(text));
    (this.child.stdio[3] as Writable).on('error', () => undefined);
  }

  /** Opens a URL in a page of the given size and waits until it is loaded. */
  async open(url: string, width: number, height: number): Promise<void> {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    this.session = String(sessionId);
    for (const domain of ['Page', 'Runtime', 'Log', 'Accessibility']) await this.send(`${domain}.enable`);
    await this.resize(width, height);
    await this.send('Page.navigate', { url });
    await this.until(`document.readyState === 'complete' && location.href !== 'about:blank'`);
  }

  resize(width: number, height: number): Promise<unknown> {
    return this.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: width < 600,
    });
  }

  /** The value of an expression in the page. */
  async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { value?: unknown }).value;
  }

  /** Waits until an expression is true in the page. */
  async until(expression: string): Promise<void> {
    const deadline = Date.now() + ANSWER_MS;
    const waits = `new Promise((done) => { const look = () => (${expression}) ? done(true) : setTimeout(look, 20); look(); setTimeout(() => done(false), 1000); })`;
    while (Date.now() < deadline) {
      const found = await this.evaluate(waits).catch(() => false);
      if (found === true) return;
    }
    throw new Error(`The page never came to: ${expression}`);
  }

  send(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`The browser did not answer ${method}`)), ANSWER_MS);
      this.waiting.set(id, { resolve, reject, timer });
      (this.child.stdio[3] as Writable).write(
        `${JSON.stringify({ id, method, params, ...(this.session !== undefined && { sessionId: this.session }) })}\0`,
      );
    });
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    if (this.child.exitCode === null && this.child.signalCode === null) await gone;
    for (const pipe of this.child.stdio.slice(3)) pipe?.destroy();
    for (const { timer } of this.waiting.values()) clearTimeout(timer);
    try {
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    } catch (error) {
      // Processes that the browser began may still write for a moment. The folder is a temporary one of the system.
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    }
  }

  private receive(text: string): void {
    const parts = (this.rest + text).split('\0');
    this.rest = parts.pop() ?? '';
    for (const part of parts) this.take(JSON.parse(part) as Message);
  }

  private take({ id, method, params, result, error }: Message): void {
    const waiting = id === undefined ? undefined : this.waiting.get(id);
    if (id !== undefined && waiting) {
      this.waiting.delete(id);
      clearTimeout(waiting.timer);
      if (error) waiting.reject(new Error(error.message));
      else waiting.resolve(result ?? {});
    }
    const isError =
      method === 'Runtime.exceptionThrown' ||
      (method === 'Runtime.consoleAPICalled' && params?.['type'] === 'error') ||
      (method === 'Log.entryAdded' && (params?.['entry'] as { level?: string }).level === 'error');
    if (isError) this.errors.push(JSON.stringify(params));
  }
}

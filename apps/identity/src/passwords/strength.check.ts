import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { AppError, invalid } from '@scriptorium/contracts';

const { resolve } = createRequire(import.meta.url);

/** Of longer passwords only the beginning is judged: if that is hard to guess, so is the whole. */
const judgedLength = 40;
/** 0 to 4: at 3, more than 10^8 guesses. */
const leastScore = 3;
/** Less than a request has. */
const answerWithinMs = 8_000;
const longestQueue = 50;
/** The dictionaries take 20 MB: they go when nobody has set a password for so long. */
const idleMs = 60_000;

interface Judgement {
  score: number;
  words: string[];
}

interface Question {
  id: number;
  password: string;
  known: readonly string[];
}

/** Runs in a thread of its own: judging takes up to a second. */
const script = `
const { parentPort, workerData } = require('node:worker_threads');
const { ZxcvbnFactory } = require(workerData.core);
const common = require(workerData.common);
const en = require(workerData.en);
const judge = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...en.dictionary }, graphs: common.adjacencyGraphs, translations: en.translations, useLevenshteinDistance: false,
});
parentPort.postMessage({ ready: true });
parentPort.on('message', ({ id, password, known }) => {
  const { score, feedback } = judge.check(password, known);
  parentPort.postMessage({ id, score, words: [feedback.warning, ...feedback.suggestions].filter(Boolean) });
});
`;

/** Judges how hard passwords are to guess (zxcvbn): by dictionaries, names, keyboards, dates, repetitions. */
export class PasswordStrength {
  #worker: Worker | undefined;
  /** Whether it has its dictionaries: on a busy machine that takes seconds, and to end it then would only mean to begin again. */
  #ready = false;
  #idle: NodeJS.Timeout | undefined;
  #last = 0;
  readonly #open = new Map<number, { answer: (judgement: Judgement) => void; fail: (error: Error) => void }>();

  /**
   * @param known what belongs to the person: an address, a name. It makes a bad password.
   * @throws AppError `invalid_request` naming `path` when it is easy to guess, `unavailable` when that cannot be told in time.
   */
  async require(password: string, known: readonly string[], path: string): Promise<void> {
    const { score, words } = await this.#ask(password.normalize('NFKC').slice(0, judgedLength), known);
    if (score < leastScore) throw invalid(path, ['Is easy to guess.', ...words].join(' '));
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#fail(new AppError('unavailable'));
    await worker?.terminate();
  }

  #ask(password: string, known: readonly string[]): Promise<Judgement> {
    if (this.#open.size >= longestQueue) throw new AppError('unavailable', [], { retryAfter: 2 });
    const worker = (this.#worker ??= this.#start());
    clearTimeout(this.#idle);
    this.#last += 1;
    const id = this.#last;
    return new Promise<Judgement>((answer, fail) => {
      const late = setTimeout(() => this.#giveUp(id), answerWithinMs);
      this.#open.set(id, {
        answer: (judgement) => {
          clearTimeout(late);
          answer(judgement);
        },
        fail: (error) => {
          clearTimeout(late);
          fail(error);
        },
      });
      worker.postMessage({ id, password, known: known.map((text) => text.slice(0, 100)) } satisfies Question);
    });
  }

  /** A password that takes that long is the thread's end; before it is ready only this question is. */
  #giveUp(id: number): void {
    if (this.#ready) return void this.stop();
    this.#open.get(id)?.fail(new AppError('unavailable', [], { retryAfter: 2 }));
    this.#open.delete(id);
  }

  #start(): Worker {
    this.#ready = false;
    const names = { core: '@zxcvbn-ts/core', common: '@zxcvbn-ts/language-common', en: '@zxcvbn-ts/language-en' };
    const workerData = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, resolve(name)]));
    // Flags of this process, such as those of a test runner, are none of its business.
    const worker = new Worker(script, { eval: true, workerData, execArgv: [], env: {} });
    worker.unref();
    worker.on('message', (said: (Judgement & { id: number }) | { ready: true }) => {
      if ('ready' in said) {
        this.#ready = true;
        return;
      }
      const { id, ...judgement } = said;
      this.#open.get(id)?.answer(judgement);
      this.#open.delete(id);
      if (this.#open.size === 0) this.#idle = setTimeout(() => void this.stop(), idleMs).unref();
    });
    worker.on('error', (cause) => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#fail(new AppError('unavailable', [], { cause }));
    });
    return worker;
  }

  #fail(error: AppError): void {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { fail } of open) fail(error);
  }
}

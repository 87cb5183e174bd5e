interface Bounds {
  /** Jobs at once. */
  mostAtOnce: number;
  /** Of one owner. */
  mostOfOne: number;
  /** Jobs that wait. */
  mostWaiting: number;
  /** Of one owner. */
  mostWaitingOfOne: number;
}

type Job = () => Promise<unknown>;

/** Runs jobs, of each owner in their order and of all owners in turn. Whatever is too many is dropped. */
export class JobQueue {
  readonly #bounds: Bounds;
  /** In the order in which owners have their turns. */
  readonly #waiting = new Map<string, Job[]>();
  readonly #running = new Map<string, number>();
  #waits = 0;
  #runs = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** Whether the job will run. Its failures are its own. */
  add(owner: string, job: Job): boolean {
    const own = this.#waiting.get(owner) ?? [];
    if (this.#waits >= this.#bounds.mostWaiting || own.length >= this.#bounds.mostWaitingOfOne) return false;
    own.push(job);
    this.#waiting.set(owner, own);
    this.#waits += 1;
    this.#next();
    return true;
  }

  /** Drops what waits. */
  clear(): void {
    this.#waiting.clear();
    this.#waits = 0;
  }

  #next(): void {
    while (this.#runs < this.#bounds.mostAtOnce) {
      const next = [...this.#waiting].find(([owner]) => (this.#running.get(owner) ?? 0) < this.#bounds.mostOfOne);
      if (next === undefined) return;
      const [owner, jobs] = next;
      const job = jobs.shift();
      // The others have their turns first.
      this.#waiting.delete(owner);
      if (jobs.length > 0) this.#waiting.set(owner, jobs);
      if (job === undefined) continue;
      this.#waits -= 1;
      void this.#run(owner, job);
    }
  }

  async #run(owner: string, job: Job): Promise<void> {
    this.#runs += 1;
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
    try {
      await job();
    } catch {
      // What has failed is recorded where it failed.
    } finally {
      this.#runs -= 1;
      const left = (this.#running.get(owner) ?? 1) - 1;
      if (left === 0) this.#running.delete(owner);
      else this.#running.set(owner, left);
      this.#next();
    }
  }
}

/** What retention works with: a part of the context of the service. */
interface Planning {
  now: () => number;
  store: { timers: { schedule(timer: PlannedTimer): Promise<void> } };
}

interface PlannedTimer {
  id: string;
  at: number;
  command: string;
  data: null;
  organization: null;
  correlation: string;
}

/** The command of the timer that deletes conversations which are too old. */
export const expireCommand = 'expire_conversations';

/** How long conversations are kept. */
export class Retention {
  constructor(
    /** 0: for ever. */
    readonly days: number,
    private readonly context: Planning,
  ) {}

  /** Conversations that were created before are not kept; `undefined` if all are. */
  keptSince(): string | undefined {
    return this.days === 0 ? undefined : new Date(this.context.now() - this.days * 86_400_000).toISOString();
  }

  /** The setting may have been another one before this start, under which nothing was planned. */
  async start(): Promise<void> {
    if (this.days === 0) return;
    const { now, store } = this.context;
    const timer = { id: expireCommand, command: expireCommand, data: null, organization: null };
    await store.timers.schedule({ ...timer, at: now(), correlation: expireCommand });
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}

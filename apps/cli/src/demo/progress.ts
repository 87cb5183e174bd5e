/** Shows how far work is. */
export interface Progress {
  /** One more of `total` is done; `what` is being done now. */
  step(what: string): void;
  end(): void;
}

const width = 30;

/** A bar that is drawn again in place on a terminal, and a line for each tenth elsewhere. */
export function createProgress(total: number, write: (text: string) => void, isTerminal: boolean): Progress {
  let done = 0;
  let told = 0;
  return {
    step(what) {
      done = Math.min(total, done + 1);
      const share = done / total;
      if (isTerminal) {
        const filled = Math.round(share * width);
        write(`\r\u001b[2K[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${total} ${what}`);
        return;
      }
      const tenth = Math.floor(share * 10);
      if (tenth === told) return;
      told = tenth;
      write(`${tenth * 10} %: ${what}\n`);
    },
    end() {
      if (isTerminal) write('\r\u001b[2K');
    },
  };
}

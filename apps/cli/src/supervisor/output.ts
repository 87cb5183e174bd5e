/** The output of the supervisor and its children. */
export interface Output {
  /** Whether the output is for people. */
  readonly readable: boolean;
  /** Writes a line of a child. */
  child(name: string, line: string): void;
  info(text: string): void;
  warn(text: string): void;
}

export interface OutputOptions {
  write: (text: string) => void;
  /** Lines for people with the name of the process first; otherwise one JSON object in each line. */
  readable: boolean;
  /** The width of the column of names. */
  width?: number;
}

const levels = { info: 30, warn: 40 } as const;
const own = 'scriptorium';

/**
 * Writes the lines of all processes into one stream. If the output is JSON, children log JSON themselves. Their other
 * lines (a crash of the runtime, a warning) are wrapped, so that every line is JSON.
 */
export function createOutput({ write, readable, width = own.length }: OutputOptions): Output {
  const put = (level: keyof typeof levels, name: string, text: string) => {
    const line = readable
      ? `${name.padEnd(width)} | ${text}`
      : JSON.stringify({ level: levels[level], time: Date.now(), name, msg: text });
    write(`${line}\n`);
  };
  return {
    readable,
    child(name, line) {
      if (line.trim() === '') return;
      if (!readable && isObject(line)) write(`${line}\n`);
      else put('info', name, line);
    },
    info: (text) => put('info', own, text),
    warn: (text) => put('warn', own, text),
  };
}

function isObject(line: string): boolean {
  if (!line.startsWith('{')) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

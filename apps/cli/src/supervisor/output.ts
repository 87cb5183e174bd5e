/** Where the supervisor's own lines and those of its children go. */
export interface Output {
  /** Whether a person reads along. */
  readonly readable: boolean;
  /** A line that a child wrote. */
  child(name: string, line: string): void;
  info(text: string): void;
  warn(text: string): void;
}

export interface OutputOptions {
  write: (text: string) => void;
  /** Readable lines with the process's name before them; otherwise one JSON object a line. */
  readable: boolean;
  /** Width of the column of names. */
  width?: number;
}

const levels = { info: 30, warn: 40 } as const;
const own = 'scriptorium';

/**
 * Lines of all processes in one stream. Children log JSON themselves when nobody reads along; what else they write
 * (a crash of the runtime, a warning) is wrapped, so that every line stays JSON.
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

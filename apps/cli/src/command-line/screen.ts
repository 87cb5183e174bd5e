/** A line of the terminal that is drawn again in place, for progress. */
export interface Screen {
  show(text: string): void;
  clear(): void;
}

interface Stream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

const redraw = '\r\u001b[2K';
const defaultColumns = 80;

/** A screen that shows nothing. */
export const noScreen: Screen = { show: () => undefined, clear: () => undefined };

/**
 * Progress for people who look at a terminal. It shows nothing where the stream is a file or a pipe, where `NO_COLOR`
 * is set, and on terminals that draw nothing in place.
 */
export function createScreen(stream: Stream, environment: NodeJS.ProcessEnv): Screen {
  const isPlain = (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb';
  if (stream.isTTY !== true || isPlain) return noScreen;
  return {
    // A line that is longer than the terminal is wide cannot be drawn again in place.
    show: (text) => void stream.write(redraw + text.slice(0, (stream.columns ?? defaultColumns) - 1)),
    clear: () => void stream.write(redraw),
  };
}

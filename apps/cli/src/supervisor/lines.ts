const maxLine = 65_536;

export interface Lines {
  push: (text: string) => void;
  end: () => void;
}

/**
 * Splits a stream of text into lines. A line is cut after 64 KiB, so that output without line ends cannot fill the
 * memory.
 */
export function splitLines(onLine: (line: string) => void): Lines {
  let rest = '';
  return {
    push(text) {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) onLine(part.endsWith('\r') ? part.slice(0, -1) : part);
      while (rest.length > maxLine) {
        onLine(rest.slice(0, maxLine));
        rest = rest.slice(maxLine);
      }
    },
    end() {
      if (rest !== '') onLine(rest);
      rest = '';
    },
  };
}

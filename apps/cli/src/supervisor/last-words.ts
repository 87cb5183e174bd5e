/** The line that tells what went wrong: of an error, `Error: …`; of the runtime, that it has no memory left. */
const headline = /^(Uncaught )?[\w$.]*(Error|Exception)( \[\w+\])?(:|$)|^FATAL ERROR:/;
/** A place in the code, which ends the message of an error. */
const frame = /^\s+at /;
/** What Node writes around an error: code, marks, properties, the end of an object, hints, and its own version. */
const around = /^\s|^\^+$|^[}\])]+,?$|^\(Use `node |^Node\.js v\d/;

/**
 * Follows what a process writes to its standard error, line by line. Each call gives the line that tells best why the
 * process may end: the message of its last error, or else what it has written last.
 */
export function createLastWords(): (line: string) => string {
  let words = '';
  let isMessage = false;
  return (line) => {
    if (frame.test(line)) isMessage = false;
    else if (headline.test(line)) [words, isMessage] = [line, true];
    // A message may have more lines. The first one tells what it is about.
    else if (line.trim() !== '' && !around.test(line) && !isMessage) words = line;
    return words;
  };
}

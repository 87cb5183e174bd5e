const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Ends the process with 0 when it is told to end while it builds and loads, as it does later on: nothing runs yet that
 * would have to be ended in order. Returns how to hand the signals over to the command.
 */
export function endOnSignals() {
  const end = () => process.exit(0);
  for (const signal of signals) process.on(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}

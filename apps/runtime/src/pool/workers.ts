/** Answers while the process is not blocked, without touching the script. */
export const pingWorker = `export default { fetch() { return new Response(null, { status: 204 }); } };
`;

export const callHeader = 'scriptorium-call';

/** Sends on what the engine tells about calls when they have ended. */
export const tailWorker = `const textOf = (part) => {
  if (typeof part === 'string') return part;
  try {
    return JSON.stringify(part) ?? String(part);
  } catch {
    return String(part);
  }
};
const lineOf = (message) => (Array.isArray(message) ? message.map(textOf).join(' ') : textOf(message));
const traceOf = ({ event, outcome, truncated, logs, exceptions }) => ({
  call: event?.request?.headers?.['${callHeader}'] ?? '',
  outcome: String(outcome),
  truncated: truncated === true,
  logs: logs.map(({ timestamp, level, message }) => ({ at: timestamp, level: String(level), message: lineOf(message) })),
  exceptions: exceptions.map(({ timestamp, name, message, stack }) => ({
    at: timestamp,
    name: String(name),
    message: textOf(message),
    ...(typeof stack === 'string' ? { stack } : {}),
  })),
});
export default {
  async tail(events, { traces }) {
    await traces.fetch('http://traces/', { method: 'POST', body: JSON.stringify(events.map(traceOf)) });
  },
};
`;

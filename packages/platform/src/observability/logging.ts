import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';

export type { Logger };

export interface LogSettings {
  LOG_LEVEL: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  LOG_FORMAT: 'auto' | 'json' | 'pretty';
}

/** Fields that are never written, at any depth of a logged object. */
const secrets = ['authorization', 'cookie', 'token', 'secret', 'password', 'key', 'hash'];
const redact = secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** Creates the logger of the process: JSON lines, or readable lines on a terminal. */
export function createLogger(name: string, settings: LogSettings): Logger {
  const options = { name, level: settings.LOG_LEVEL, redact: { paths: redact, censor: '[redacted]' } };
  const readable = settings.LOG_FORMAT === 'pretty' || (settings.LOG_FORMAT === 'auto' && process.stdout.isTTY);
  return readable ? pino(options, pretty({ ignore: 'pid,hostname', sync: true })) : pino(options);
}

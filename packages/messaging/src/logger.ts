/** The methods of a structured logger that this package calls, with pino's order of arguments. */
export interface MessagingLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Logs nothing. */
export const silentLogger: MessagingLogger = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

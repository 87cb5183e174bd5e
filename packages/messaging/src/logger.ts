/** The part of a structured logger (pino's order of arguments) that this package calls. */
export interface MessagingLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Says nothing. */
export const silentLogger: MessagingLogger = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** The environment of a process that is a replica of a service with this configuration, and writes errors alone. */
export function environmentOf(config: object): Record<string, string> {
  const settings = Object.entries(config).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
  );
  return {
    PATH: process.env['PATH'] ?? '',
    ...(Object.fromEntries(settings) as Record<string, string>),
    ADMIN_PORT: '0',
    LOG_LEVEL: 'error',
    LOG_FORMAT: 'json',
  };
}

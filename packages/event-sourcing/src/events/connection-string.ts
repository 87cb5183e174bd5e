const laterScheme = /^(?:kurrentdb|kurrent|kdb)(\+discover)?:\/\//;

/**
 * The connection string as the client (6.2.1) takes it. The product is called KurrentDB since its version 25, and
 * addresses then begin with its new name or its short form; the protocol is the same.
 */
export function forClient(url: string): string {
  return url.replace(laterScheme, 'esdb$1://');
}

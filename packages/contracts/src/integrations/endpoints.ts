/** Bounds of requests to public addresses of integrations; what is beyond them gets 413, or 502 for an answer. */
export const endpointBounds = {
  /** Bytes of a body. */
  bodyBytes: 6 * 1024 * 1024,
  /** Bytes of what a script answers. */
  answerBytes: 10 * 1024 * 1024,
} as const;

/** The header in which the gateway tells integrations the host that a client has asked. */
export const endpointHost = 'scriptorium-host';
/** The header by which integrations marks a refusal as its own, and not the answer of a script. */
export const endpointRefused = 'scriptorium-refused';

/**
 * Whether an address is under a host that the `*` of an origin of integrations may stand for. Scripts would answer
 * under its name then, whatever its port: cookies do not know ports. Pure.
 */
export function isCoveredBy(origin: string, address: string): boolean {
  if (!origin.includes('*')) return false;
  const [parent, host] = [origin.replace('*.', ''), address].map((one) => URL.parse(one)?.hostname ?? '');
  return parent !== '' && host?.endsWith(`.${parent}`) === true;
}

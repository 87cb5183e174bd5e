/** Texts of `-ERR`, as nats-server words them: clients recognise errors by them. */
export const failures = {
  unknownOperation: 'Unknown Protocol Operation',
  maxPayload: 'Maximum Payload Violation',
  maxControlLine: 'maximum control line exceeded',
  maxConnections: 'maximum connections exceeded',
  maxSubscriptions: 'maximum subscriptions exceeded',
  authorization: 'Authorization Violation',
  authTimeout: 'Authentication Timeout',
  invalidSubject: 'Invalid Subject',
  invalidPublishSubject: 'Invalid Publish Subject',
  invalidClientProtocol: 'invalid client protocol',
  noRespondersNeedsHeaders: 'no responders requires headers support',
  stale: 'Stale Connection',
  noTracing: 'Message Tracing Not Supported',
} as const;

/** Refusal of a publish, in the words from which clients take the subject. */
export function publishRefused(subject: string): string {
  return `Permissions Violation for Publish to "${subject}"`;
}

/** Refusal of a subscription, in the words from which clients take subject and queue. */
export function subscriptionRefused(subject: string, queue: string | undefined): string {
  const using = queue === undefined ? '' : ` using queue "${queue}"`;
  return `Permissions Violation for Subscription to "${subject}"${using}`;
}

/** Headers alone of the answer to a request that nobody serves. */
export function noResponders(reply: string, sid: string): string {
  return `HMSG ${reply} ${sid} 16 16\r\nNATS/1.0 503\r\n\r\n\r\n`;
}

/** The protocol level announced in INFO: features of nats-server 2.10 core. JetStream is absent. */
export const SERVER_VERSION = '2.10.0';

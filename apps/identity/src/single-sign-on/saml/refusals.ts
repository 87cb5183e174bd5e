import { AppError } from '@scriptorium/contracts';

/**
 * The messages for a refused response. They repeat nothing of it, so that neither addresses nor the input of an
 * attacker reach logs or pages.
 */
const messages = {
  request: 'It answers no open request of this browser. Start again',
  malformed: 'It is not valid XML, or it contains XML that is not allowed',
  shape: 'It must contain exactly one response with one assertion',
  algorithm: 'It is signed with an algorithm that is not allowed',
  signature: 'Its signature is missing or invalid',
  status: 'The provider did not sign the person in',
  issuer: 'It was issued by another provider',
  destination: 'It is addressed to another URL',
  recipient: 'Its assertion is for another recipient',
  audience: 'Its assertion is for another service',
  time: 'It has expired or is not valid yet',
  answer: 'It answers another request',
  replay: 'It was used before',
  name: 'It must name the person by an e-mail address',
} as const;

export type Problem = keyof typeof messages;

/** The refusal of a response. It has no cause, since errors of libraries repeat parts of the message. */
export function refused(problem: Problem): AppError {
  return new AppError('unauthenticated', [{ path: 'body.SAMLResponse', message: problem }], {
    message: `The response of the identity provider was refused. ${messages[problem]}`,
  });
}

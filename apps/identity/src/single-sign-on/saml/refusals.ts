import { AppError } from '@scriptorium/contracts';

/**
 * The messages for a refused response. They repeat nothing of it, so that neither addresses nor the input of an
 * attacker reach logs or pages.
 */
const messages = {
  request: 'It answers no request of this browser, or one that is over. Start again',
  malformed: 'It is not the XML that it should be',
  shape: 'It is not one response with one assertion',
  algorithm: 'It is signed by an algorithm that is not taken',
  signature: 'It is not signed as it should be',
  status: 'The provider did not sign the person in',
  issuer: 'Another provider has issued it',
  destination: 'It is meant for another address',
  recipient: 'It is meant for another recipient',
  audience: 'It is meant for another service',
  time: 'It is not valid now',
  answer: 'It answers another request',
  replay: 'It was used before',
  name: 'It does not name the person by an e-mail address',
} as const;

export type Problem = keyof typeof messages;

/** The refusal of a response. It has no cause, since errors of libraries repeat parts of the message. */
export function refused(problem: Problem): AppError {
  return new AppError('unauthenticated', [{ path: 'body.SAMLResponse', message: problem }], {
    message: `The answer of the identity provider is not taken. ${messages[problem]}`,
  });
}

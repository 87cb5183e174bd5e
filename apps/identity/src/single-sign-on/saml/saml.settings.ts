import * as z from 'zod';

/** The requirements on identity providers. */
export const samlSettings = {
  SAML_SIGNED: z
    .enum(['both', 'assertion', 'response'])
    .default('both')
    .describe(
      'What of a SAML answer has to be signed: response and assertion, or one of them; `response` takes an assertion that only the response is signed around',
    ),
} as const;

/** The parts of a response that have to be signed. */
export class SignaturePolicy {
  constructor(readonly signed: 'both' | 'assertion' | 'response') {}
}

import * as z from 'zod';

/** Settings of calls of scripts. */
export const scriptSettings = {
  RUNTIME_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of the runtime of scripts, `http://host:port`; unset: no script runs'),
  RUNTIME_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{32,512}$/, 'Must be 32 to 512 visible ASCII characters')
    .optional()
    .describe('Key of the runtime, as it has it; needed with `RUNTIME_URL`'),
};

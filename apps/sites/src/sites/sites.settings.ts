import * as z from 'zod';

/** Settings of how hostnames of sites are verified. */
export const hostnameSettings = {
  DNS_SERVERS: z
    .string()
    .regex(/^[^\s,]+(,[^\s,]+)*$/, 'Must be addresses, separated by commas')
    .optional()
    .describe(
      'Name servers that are asked for the records which verify hostnames of sites, `10.0.0.1,[fd00::1]:53`; unset: those of the machine',
    ),
};

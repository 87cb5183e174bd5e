import * as z from 'zod';

/** Settings of where bytes of files are kept, and of the addresses that serve them. */
export const filesSettings = {
  CONTENT_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .refine((url) => /^https?:\/\/[^/?#@]+\/?$/.test(url), 'Must be an origin, without a path')
    .default('http://127.0.0.1:8081')
    .describe('Base of the addresses of files: where clients reach `CONTENT_PORT` of the gateway'),
  FILES_STORE: z
    .string()
    .regex(
      /^(folder(:.+)?|mongodb|s3:[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])$/,
      'Must be folder, folder:<path>, mongodb or s3:<bucket>',
    )
    .default('folder')
    .describe(
      'Where bytes of files are kept: `folder` for `DATA_DIR/files`, `folder:<path>`, `mongodb` for the database at `MONGODB_URL`, `s3:<bucket>`',
    ),
  FILES_S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('S3-compatible store, `https://host:port`; unset: that of AWS'),
  FILES_S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the bucket'),
  FILES_S3_ACCESS_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Key of the bucket; unset: what the environment gives, as the AWS tools find it'),
  FILES_S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('Secret of that key'),
  FILES_HOST: z.string().min(1).default('127.0.0.1').describe('Address at which the service gives bytes to gateways'),
  FILES_PORT: z.coerce.number().int().min(0).max(65_535).default(0).describe('Port for that; 0 takes a free one'),
  FILES_URL: z
    .url({ protocol: /^http$/ })
    .optional()
    .describe('Where gateways reach it, `http://host:port`; unset: `http://FILES_HOST:<port>`'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./.data')
    .describe('Folder whose `files` holds bytes of files with `FILES_STORE=folder`'),
};

export type FilesSettings = z.output<z.ZodObject<typeof filesSettings>>;

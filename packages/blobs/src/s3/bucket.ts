import { S3Client, type S3ClientConfig, S3ServiceException } from '@aws-sdk/client-s3';

export interface S3Options {
  /** `https://host:port` of a compatible store; without it, that of AWS in the region. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  /** Must be there. A versioned bucket keeps what is removed. */
  readonly bucket: string;
  /** Without them, those that the environment of the process gives, as the AWS tools find them. */
  readonly credentials?:
    { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string } | undefined;
}

export interface Bucket {
  readonly client: S3Client;
  readonly name: string;
}

export function openBucket({ endpoint, region, bucket, credentials }: S3Options): Bucket {
  const config: S3ClientConfig = {
    region,
    maxAttempts: 3,
    // Compatible stores may not know the checksums that AWS has added; what must have one still gets it.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 2_000,
      requestTimeout: 60_000,
      throwOnRequestTimeout: true,
      // Also of an answer whose reader is slow.
      socketTimeout: 120_000,
      httpAgent: { maxSockets: 32 },
      httpsAgent: { maxSockets: 32 },
    },
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials: { ...credentials } }),
  };
  return { client: new S3Client(config), name: bucket };
}

export const BLOBS = 'blobs/';
export const DRAFTS = 'drafts/';

export function blobKey(pool: string, hash: string): string {
  return `${BLOBS}${pool}/${hash}`;
}

/** What a request gives, or undefined when the store answers that there is no such object or upload. */
export async function unlessMissing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  if (!(error instanceof S3ServiceException) || error.name === 'NoSuchBucket') return false;
  return error.$metadata.httpStatusCode === 404;
}

export { s3Blobs, type S3Options } from './s3/s3-blobs.js';

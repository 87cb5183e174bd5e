import { fileURLToPath } from 'node:url';

/** The folder of the product. */
export const productFolder = fileURLToPath(new URL('../../..', import.meta.url));

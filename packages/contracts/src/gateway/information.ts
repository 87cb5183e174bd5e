import * as z from 'zod';
import { anonymousOperation } from '../kernel/operation.js';

export const ApiInformation = z
  .object({
    version: z.string().meta({ description: 'Version of the product.' }),
    build: z.string().meta({ description: 'Identifier of the build, such as a commit.' }),
  })
  .meta({ id: 'ApiInformation' });
export type ApiInformation = z.output<typeof ApiInformation>;

export const getApiInformation = anonymousOperation({
  id: 'getApiInformation',
  service: 'gateway',
  method: 'GET',
  path: '/',
  summary: 'Get the version of the product',
  tag: 'Installation',
  response: ApiInformation,
});

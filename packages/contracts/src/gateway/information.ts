import * as z from 'zod';
import { operation } from '../operation.js';

export const ApiInformation = z
  .object({
    version: z.string().meta({ description: 'Version of the product.' }),
    build: z.string().meta({ description: 'Identifier of the build, such as a commit.' }),
  })
  .meta({ id: 'ApiInformation' });
export type ApiInformation = z.output<typeof ApiInformation>;

export const getApiInformation = operation({
  id: 'getApiInformation',
  service: 'gateway',
  method: 'GET',
  path: '/',
  summary: 'Get the version of the product',
  tag: 'Installation',
  access: { tokens: [], resource: 'installation', view: ['anyone'], allow: ['anyone'] },
  response: ApiInformation,
});

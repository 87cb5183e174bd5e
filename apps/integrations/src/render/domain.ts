import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { Addresses } from '../addresses/index.js';
import { CallScript } from '../dispatch/index.js';
import { RenderController } from './render.controller.js';
import { Renderer } from './renderer.process.js';

/** What integrations show. */
export const render = defineDomain({
  name: 'render',
  controllers: [RenderController],
  objects: ({ context, use }) => [
    new Renderer({
      access: use(ServiceAccess),
      addresses: use(Addresses),
      script: use(CallScript),
      now: context.now,
    }),
  ],
});

import { defineDomain } from '@scriptorium/platform';
import { TokenAnnouncer } from './token.announcer.js';
import { TokensController } from './tokens.controller.js';

/** Tokens with which integrations and their installations use the API. */
export const tokens = defineDomain({
  name: 'tokens',
  controllers: [TokensController],
  objects: ({ context }) => [new TokenAnnouncer(context)],
});

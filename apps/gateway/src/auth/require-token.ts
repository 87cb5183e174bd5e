import { AppError, refuseToken, tokenMessage, type Operation } from '@scriptorium/contracts';
import type { Hook } from '../http/requests/hook.js';

/**
 * Refuses callers whose token does not have the kind and scope that an operation asks for. Operations that need no
 * token accept everybody. The service checks everything else.
 */
export function requireToken({ access }: Operation): Hook {
  if (access.tokens.length === 0) return (_request, _reply, done) => done();
  return ({ caller, authError }, _reply, done) => {
    if (caller === null && authError !== null) return done(authError);
    const refused = refuseToken(access, caller?.principal ?? null);
    if (refused === null) return done();
    const message = caller === null ? undefined : tokenMessage(access, caller.principal);
    done(new AppError(refused, [], message === undefined ? {} : { message }));
  };
}

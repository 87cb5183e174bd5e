import { AppError, refuseToken, type Operation } from '@scriptorium/contracts';
import type { Hook } from '../http/hook.js';

/** Lets everybody into what needs no token, and otherwise those whose token has the kind and scope that an operation asks for; the service checks the rest (ruling 10). */
export function admission({ access }: Operation): Hook {
  if (access.tokens.length === 0) return (_request, _reply, done) => done();
  return ({ caller, stranger }, _reply, done) => {
    if (caller === null && stranger !== null) return done(stranger);
    const refused = refuseToken(access, caller?.principal ?? null);
    done(refused === null ? undefined : new AppError(refused));
  };
}

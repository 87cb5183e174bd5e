export { PrincipalAnnouncer } from './principals/principal.announcer.js';
export {
  beginSession,
  endSession,
  endSessionOf,
  endSessions,
  endSessionsWithin,
  findSession,
  type SessionDocument,
  sessions,
  sweepSessions,
} from './sessions/sessions.operational.js';
export { createToken, credentials, endCredentials, recordPasswordChange, recordSignIn } from './tokens/credentials.js';
export { forgetUses } from './tokens/token-use.operational.js';
export { writeTokenMail } from './tokens/token.mail.js';
export { addresses } from './users/addresses.reservation.js';
export { beginErasure, erasure, finishErasure, refuseErasure } from './users/erasure.js';
export {
  claimInstallation,
  installation,
  installationId,
  isLastOperator,
  recordOperatorLeft,
  recordOperatorStayed,
} from './users/installation.js';
export { mailAddressOf } from './users/mail-address.queries.js';
export { registerUser, requireFreeAddress, verifyAddress } from './users/register-user.process.js';
export { changeProfile, user } from './users/user.js';
export { getUser } from './users/users.queries.js';

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
export { sameHash } from './tokens/same-hash.check.js';
export { forgetUses, lastUses, UseTracker } from './tokens/token-use.operational.js';
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
export {
  endProvisioning,
  nameProvisioned,
  provisionedName,
  type ProvisionedName,
  registerProvisioned,
} from './users/provisioned-user.js';
export { registerUser, requireFreeAddress, verifyAddress } from './users/register-user.process.js';
export { userNameOf, userNames } from './users/user-names.reservation.js';
export { changeProfile, type User, user } from './users/user.js';
export { getUser } from './users/users.queries.js';

import { arrivedPath } from '@scriptorium/contracts';

/** Paths of the pages. Those that need the session, and all forms, are below `/v1`, where browsers send the cookie. */
export const paths = {
  signIn: '/sign-in',
  link: '/sign-in/link',
  arrived: arrivedPath,
  confirm: '/sign-in/confirm',
  view: '/v1/auth/view',
  account: '/v1/auth/account',
  byPassword: '/v1/auth/account/by-password',
  sendLink: '/v1/auth/account/send-link',
  byLink: '/v1/auth/account/by-link',
  bySso: '/v1/auth/account/by-sso',
  newToken: '/v1/auth/account/new-token',
  revokeToken: '/v1/auth/account/revoke-token',
  endSession: '/v1/auth/account/end-session',
  newPassword: '/v1/auth/account/new-password',
  signOut: '/v1/auth/account/sign-out',
} as const;

export { writePasswordMail } from './passwords/password.mail.js';
export { forgetCredentials } from './sign-in/forget-credentials.process.js';
export { writeLinkMail } from './sign-in/link.mail.js';
export { sweepSignIn } from './sign-in/sweep-sign-in.process.js';

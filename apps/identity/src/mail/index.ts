export { mailboxOf, MailFiles } from './mail-files.store.js';
export { InvitationPace } from './invitation-pace.process.js';
export { invitationMark } from './mail-job.js';
export { notificationsMail, type NamedNotification } from './notifications.template.js';
export { queueMail } from './mail.timer.js';
export { pageURL } from './page-url.js';
export { invitationMail, linkMail, type LinkPurpose, type Mail, passwordMail, tokenMail } from './templates.js';

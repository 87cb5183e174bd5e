/**
 * Hostnames that no organization gets, since `<hostname>.<the installation's domain>` would be taken for a part of the
 * installation itself, or be one: its API, app and status pages, names that software asks for by convention (mail, name
 * servers, discovery of settings), and mailboxes by which a certificate authority lets one prove that a domain is one's own.
 */
const reserved: ReadonlySet<string> = new Set([
  'www',
  'api',
  'app',
  'admin',
  'auth',
  'login',
  'sso',
  'account',
  'accounts',
  'identity',
  'docs',
  'help',
  'support',
  'status',
  'static',
  'assets',
  'cdn',
  'files',
  'content',
  'sites',
  'preview',
  'proxy',
  'gateway',
  'internal',
  'metrics',
  'health',
  'localhost',
  'mail',
  'email',
  'smtp',
  'imap',
  'pop',
  'pop3',
  'webmail',
  'mta-sts',
  'ftp',
  'ns1',
  'ns2',
  'dns',
  'wpad',
  'isatap',
  'autoconfig',
  'autodiscover',
  'administrator',
  'hostmaster',
  'postmaster',
  'webmaster',
  'root',
  'abuse',
  'security',
  'billing',
]);

/** Whether a hostname is kept for the installation. */
export function isReservedHostname(hostname: string): boolean {
  return reserved.has(hostname);
}

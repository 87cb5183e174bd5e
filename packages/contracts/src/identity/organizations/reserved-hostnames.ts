/**
 * Hostnames that no organization gets, since `<hostname>.<the installation's domain>` would be or seem to be part of
 * the installation: its API, app and status pages, names with a conventional meaning (mail, name servers, discovery of
 * settings), and mailboxes with which certificate authorities verify the owner of a domain.
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

/** Whether a hostname is reserved for the installation. */
export function isReservedHostname(hostname: string): boolean {
  return reserved.has(hostname);
}

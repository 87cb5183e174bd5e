const laterScheme = /^(?:kurrentdb|kurrent|kdb)(\+discover)?:\/\//;

/** The options of a connection string that the client (6.2.1) reads, in lower case. */
const optionsRead: ReadonlySet<string> = new Set(
  [
    ...['connectionName', 'defaultDeadline', 'discoveryInterval', 'dnsDiscover', 'gossipTimeout', 'keepAliveInterval'],
    ...['keepAliveTimeout', 'maxDiscoverAttempts', 'nodePreference', 'throwOnAppendFailure', 'tls', 'tlsCAFile'],
    ...['userCertFile', 'userKeyFile'],
  ].map((name) => name.toLowerCase()),
);

/**
 * The connection string as the client (6.2.1) takes it. The product is called KurrentDB since its version 25, and
 * addresses then begin with its new name or its short form; the protocol is the same. Options that the client does not
 * read are left out: it would write a warning with the whole string, and so with the password.
 */
export function forClient(url: string): string {
  const { address, query } = parted(url.replace(laterScheme, 'esdb$1://'));
  const read = query.filter((option) => isRead(nameOf(option)));
  return read.length === 0 ? address : `${address}?${read.join('&')}`;
}

/** The options of a connection string that the client does not read. */
export function unreadOptions(url: string): string[] {
  return parted(url)
    .query.map(nameOf)
    .filter((name) => name !== '' && !isRead(name));
}

/** A user and a password as the client finds them: the password ends with the first `@`, and may have a `?`. */
const beforeOptions = /^[^:]+:\/\/(?:[^:]+:[^@]+@)?[^?]*/;

function parted(url: string): { address: string; query: string[] } {
  const [address = url] = beforeOptions.exec(url) ?? [];
  const options = url.slice(address.length + 1);
  return { address, query: options === '' ? [] : options.split('&') };
}

function nameOf(option: string): string {
  return option.split('=', 1)[0] ?? '';
}

function isRead(name: string): boolean {
  return optionsRead.has(name.toLowerCase());
}

interface Metadata {
  set(name: string, value: string): void;
}
type CallArguments = (...parameters: unknown[]) => [Metadata, ...unknown[]];

const withUser = /^(esdb:\/\/)([^:@/]+):([^@]+)@([^/?]+)(.*)$/;
const withoutTls = /[?&]tls=false(&|$)/i;
const loopback = /^(localhost|127(\.\d{1,3}){3})(:\d+)?$/;

/**
 * Opens the official client for a connection string.
 * Without TLS the client does not send the credentials of the string, since others could read them on the network.
 * Connections to loopback addresses do not leave this machine, and the embedded server there requires credentials, so
 * they are sent with each call. They are set once for the client: as an option of each call they would disable batches
 * of appends, without which appends take three times as long.
 * @param open opens a client. It gets the string, without credentials if they are added here
 * @throws Error when the string is malformed; the message does not repeat it
 */
export function openWithCredentials<C extends object>(url: string, open: (url: string) => C): C {
  const [, scheme = '', user = '', password = '', hosts = '', rest = ''] = withUser.exec(url) ?? [];
  const isLocal = hosts.split(',').every((host) => loopback.test(host));
  if (!isLocal || !withoutTls.test(rest)) return opened(url, open);
  const value = Buffer.from(`${decodeURIComponent(user)}:${decodeURIComponent(password)}`).toString('base64');
  return withAuthorization(opened(`${scheme}${hosts}${rest}`, open), `Basic ${value}`);
}

function opened<C>(url: string, open: (url: string) => C): C {
  try {
    return open(url);
  } catch {
    // The client's own message contains the string with the password.
    throw new Error('The connection string of EventStoreDB is malformed');
  }
}

/** @throws Error when the client differs from version 6.2.1, whose internals are used here */
function withAuthorization<C extends object>(client: C, header: string): C {
  const make: unknown = Reflect.get(client, 'callArguments');
  if (typeof make !== 'function')
    throw new Error('This version of the EventStoreDB client makes the metadata of its calls in another way');
  const authorized: CallArguments = (...parameters) => {
    const made = (make as CallArguments)(...parameters);
    made[0].set('authorization', header);
    return made;
  };
  Reflect.set(client, 'callArguments', authorized);
  return client;
}

interface Disposable {
  dispose(): Promise<void>;
}

/** A client that can be replaced by a new one. */
export interface Renewable<C> {
  get(): C;
  /** Replaces this client, unless that was done already. */
  renew(broken: C): void;
  close(): Promise<void>;
}

/** The calls of a client that was replaced may take so long. In ms. */
const callsEndWithin = 5000;

/**
 * The client keeps the failed answer to its first request (which calls the server supports) forever. So a new client is
 * opened after a failure, at most once a second. The old one can finish its calls.
 */
export function renewable<C extends Disposable>(open: () => C): Renewable<C> {
  let current = open();
  let since = performance.now();
  const old = new Set<C>();
  return {
    get: () => current,
    renew(broken) {
      if (broken !== current || performance.now() - since < 1000) return;
      old.add(current);
      current = open();
      since = performance.now();
      setTimeout(() => {
        old.delete(broken);
        void broken.dispose();
      }, callsEndWithin).unref();
    },
    close: async () => {
      await Promise.all([...old, current].map((client) => client.dispose()));
    },
  };
}

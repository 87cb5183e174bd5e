// The requests of a recorded data folder: what is written, and what is read afterwards.

/** A certificate of an identity provider that does not exist; nobody has its private key. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIDDzCCAfegAwIBAgIUX3jczzgLaZiI9ZIHtCUfuHrNopswDQYJKoZIhvcNAQEL
BQAwFjEUMBIGA1UEAwwLaWRwLmV4YW1wbGUwIBcNMjYxMTIyMTQ0MzM1WhgPMjEy
NjEwMjkxNDQzMzVaMBYxFDASBgNVBAMMC2lkcC5leGFtcGxlMIIBIjANBgkqhkiG
9w0BAQEFAAOCAQ8AMIIBCgKCAQEA8ur9FppRmUqxgvm8K+QaC/TkGum4fMm/R2nv
Q2Pysk1pCoi+YFEtH/BEfNyd/ZNA01Vbi5Hc5Zp3gFBU4Hnl/G7IcAJU2RpG2SGL
Ry1qaDeIpY9Z6tp5R8PnoJxMauw/vkj20+IRclPSf3LlKcOoR1hAUR6Oti9EsiOX
fTPE774Eh4QMqXLf9a49OoBOiFU5EVE44eRpDmwqj2d5eK6HblTj4GqK9c/qPtX2
7FAXCCnJtT8NegFKgVpLYEl1/n8QWMAaj2wTJd2tT8jOOlJiAUvmndkYNf1zWRbM
PpYKO+4JbtuY0pU6MfYo1BEvwTAiVH6LJeXpGZ9gETrUBLzXdQIDAQABo1MwUTAd
BgNVHQ4EFgQUKBqeeTdPd2umKixbWjnCV/3m9kEwHwYDVR0jBBgwFoAUKBqeeTdP
d2umKixbWjnCV/3m9kEwDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOC
AQEA8G4/yYGuOW0llVJ+QhAhR1MJ7ji+71GP0wcoN2swH4Nqp/cJac405sl7EnVU
2nbuUXWDnElE1iCn9mHECq4wT5JHNSLSnrYQ51OJfYZaT87K/mup006jYDgsDIyk
oJQOt5xUGOr2HMbNG/iIGVruIF6+6yhpyCPdVvZyb/j0QZIwRsMx0HCPZqW+soR6
GLe4TApMgghAy72Nha7HpfZqI2EKLXPJChzy8A1ubmA4PJ7qmd8K82cBJ+ggSc4d
biUF3QSLtJRpOWp4xrp75K3kD0OuOFSe65F9BuN46CJGEFxK6OYg/XVY+137oB9W
/FqEtMVaRddqWEyDqbnwV0QcMg==
-----END CERTIFICATE-----`;

const password = 'throw-away test passphrase 7319';

/** Sends the requests that write, and answers who there is and what their tokens are. */
export async function writeAll({ endpoint, token, admin, organization }) {
  const as = (bearer) => async (method, path, body) => {
    const response = await fetch(`${endpoint}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const operator = as(token);
  const people = await createPeople(operator);
  const tokens = { admin: token };
  for (const name of ['ada', 'ben', 'cleo', 'build']) {
    const made = await operator('POST', `/users/${people[name]}/tokens`, { label: `Token of ${name}` });
    tokens[name] = made.token;
  }
  const world = { users: { admin, ...people }, tokens, organizations: { first: organization } };
  await inviteAndAssign(operator, as(tokens.ben), world);
  await setUp(operator, world);
  await createTeams(operator, as(tokens.ada), world);
  await createProviders(operator, world);
  await createOthers(operator, as(tokens.cleo), world);
  await signInAndOut(endpoint, operator, world);
  await operator('DELETE', `/users/${people.erased}`);
  return { ...world, password };
}

async function createPeople(operator) {
  const people = {};
  const create = async (name, body) => {
    people[name] = (
      await operator('POST', '/users', { displayName: body.displayName, email: `${name}@example.org`, ...body })
    ).id;
  };
  await create('ada', { displayName: 'Ada Almond', emailVerified: true, password });
  await create('ben', { displayName: 'Ben Birch', emailVerified: true });
  await create('cleo', { displayName: 'Cleo Çedar', emailVerified: true, password });
  await create('dora', { displayName: 'Dora Dill' });
  await create('erased', { displayName: 'Emil Elm', emailVerified: true });
  await create('build', { displayName: 'Build account', kind: 'service', emailVerified: true });
  return people;
}

async function inviteAndAssign(operator, ben, { users, organizations }) {
  const org = `/orgs/${organizations.first}`;
  await operator('POST', `${org}/invites`, {
    emails: [
      { email: 'ada@example.org', role: 'admin' },
      { email: 'cleo@example.org', role: 'read' },
      { email: 'erased@example.org', role: 'edit' },
      { email: 'build@example.org', role: 'create' },
      { email: 'nobody-yet@example.org', role: 'review' },
    ],
    role: 'comment',
  });
  await operator('PATCH', `${org}/members/${users.cleo}`, { role: 'edit' });
  await operator('PATCH', `${org}/members/${users.build}`, { role: null });
  const link = await operator('POST', `${org}/link-invites`, { role: 'comment' });
  await operator('PATCH', org, { inviteLinks: true });
  await ben('POST', `${org}/invites/${link.id}`);
  await operator('PATCH', `${org}/link-invites/${link.id}`, { role: 'review' });
  const gone = await operator('POST', `${org}/link-invites`, { role: 'read' });
  await operator('DELETE', `${org}/link-invites/${gone.id}`);
}

async function setUp(operator, { organizations, users }) {
  const org = `/orgs/${organizations.first}`;
  await operator('PATCH', org, {
    title: 'Orchard Ünited',
    hostname: 'orchard',
    defaultRole: 'comment',
    ai: false,
    mergeRules: {
      type: 'rules',
      rules: [
        { rule: 'require_all_reviews_approved' },
        { rule: 'allow_bypass', users: [users.ada] },
        { rule: 'custom', expression: 'true', message: 'Never refused' },
      ],
    },
  });
  await operator('PUT', `${org}/agent-instructions?format=markdown`, {
    instructions: {
      markdown: '# Tone\n\nWrite **short** sentences, see [the guide](https://example.org/guide).\n\n- one\n- two\n',
    },
  });
  await operator('PATCH', `/users/${users.admin}`, {
    displayName: 'Administrator of tests',
    photoURL: 'https://example.org/photo.png',
  });
}

async function createTeams(operator, ada, world) {
  const { organizations, users } = world;
  const teams = `/orgs/${organizations.first}/teams`;
  const writers = await operator('PUT', teams, { title: 'Writers', members: [users.ada, users.cleo, users.erased] });
  const reviewers = await operator('PUT', teams, { title: 'Draft', members: [users.ben] });
  const gone = await operator('PUT', teams, { title: 'Deleted team', members: [users.ada] });
  await operator('PATCH', `${teams}/${reviewers.id}`, { title: 'Reviewers' });
  await operator('PUT', `${teams}/${writers.id}/members`, {
    add: [users.ben],
    memberships: { [users.ada]: { role: 'owner' } },
  });
  await ada('DELETE', `${teams}/${writers.id}/members/${users.ben}`);
  await operator('DELETE', `${teams}/${gone.id}`);
  world.teams = { writers: writers.id, reviewers: reviewers.id, deleted: gone.id };
}

async function createProviders(operator, world) {
  const saml = `/orgs/${world.organizations.first}/saml`;
  const active = await operator('POST', saml, {
    label: 'Example login',
    ssoURL: 'https://idp.example/sso',
    entityID: 'https://idp.example/entity',
    certificate,
    defaultTeam: world.teams.reviewers,
    defaultRole: 'read',
  });
  const pending = await operator('POST', saml, { label: 'Not complete' });
  const gone = await operator('POST', saml, { label: 'Deleted' });
  await operator('PATCH', `${saml}/${pending.id}`, { label: 'Not complete yet', entityID: 'https://other.example' });
  await operator('DELETE', `${saml}/${gone.id}`);
  await operator('POST', `/orgs/${world.organizations.first}/members/${world.users.ben}/sso`);
  world.providers = { active: active.id, pending: pending.id };
}

async function createOthers(operator, cleo, world) {
  const own = await cleo('POST', '/orgs', { title: 'Second organization', emailDomains: ['example.org'] });
  const deleted = await operator('POST', '/orgs', { title: 'Deleted organization' });
  await operator('POST', `/orgs/${deleted.id}/invites`, { emails: ['ada@example.org'], role: 'admin' });
  await operator('PUT', `/orgs/${deleted.id}/teams`, {
    title: 'Team of a deleted organization',
    members: [world.users.ada],
  });
  await operator('DELETE', `/orgs/${deleted.id}`);
  Object.assign(world.organizations, { second: own.id, deleted: deleted.id });
  const limited = await cleo('POST', '/user/tokens', {
    label: 'Reads only',
    scopes: ['user:read', 'organization:read'],
    expiresAt: '2999-01-01T00:00:00.000Z',
  });
  world.tokens.limited = limited.token;
  const revoked = await cleo('POST', '/user/tokens', { label: 'Revoked' });
  await cleo('DELETE', `/user/tokens/${revoked.id}`);
  await cleo('POST', `/orgs/${world.organizations.first}/ping`);
  const removed = `/orgs/${world.organizations.first}/members/${world.users.erased}`;
  await operator('DELETE', removed);
  await operator('POST', `/orgs/${world.organizations.first}/invites`, {
    emails: ['erased@example.org'],
    role: 'read',
  });
}

/** A session that stays, one that was ended, and a mailed link. */
async function signInAndOut(endpoint, operator, world) {
  const post = (path, body, cookie) =>
    fetch(`${endpoint}/v1${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: 'http://docs.example',
        ...(cookie === undefined ? {} : { cookie }),
      },
      body: JSON.stringify(body),
    });
  const signIn = async (email) => {
    const response = await post('/auth/login', { email, password });
    if (!response.ok) throw new Error(`sign-in: ${response.status} ${await response.text()}`);
    await response.text();
    return response.headers.getSetCookie()[0].split(';')[0];
  };
  await signIn('ada@example.org');
  const ended = await signIn('cleo@example.org');
  const out = await post('/auth/logout', {}, ended);
  const mailed = await post('/auth/email-link', { email: 'ben@example.org' });
  for (const each of [out, mailed]) if (!each.ok) throw new Error(`${each.url}: ${each.status} ${await each.text()}`);
  world.moment = new Date().toISOString();
  await operator('PATCH', `/orgs/${world.organizations.first}`, { title: 'Orchard renamed' });
}

/** What everything that was written looks like to each of its readers. */
export async function readAnswers(endpoint, world) {
  const answers = [];
  for (const [caller, path] of reads(world)) {
    const token = world.tokens[caller];
    const response = await fetch(`${endpoint}/v1${path}`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    answers.push({ caller, path, status: response.status, body: isJson ? JSON.parse(text, constant) : text });
  }
  return answers;
}

/** `*` for values that change with every reading: times of last use, encrypted cursors, ids of requests. */
function constant(name, value) {
  const varies = ['lastSeenAt', 'lastUsedAt', 'requestId'].includes(name) || (name === 'page' && !/^\d+$/.test(value));
  return varies ? '*' : value;
}

function reads({ users, organizations, teams, providers, moment }) {
  const first = `/orgs/${organizations.first}`;
  const asOf = `asOf=${encodeURIComponent(moment)}`;
  const admin = [
    ...Object.values(users).map((id) => `/users/${id}`),
    ...Object.values(users).map((id) => `${first}/members/${id}`),
    ...Object.values(users).map((id) => `${first}/members/${id}/teams`),
    ...Object.values(organizations).map((id) => `/orgs/${id}`),
    ...Object.values(teams).flatMap((id) => [`${first}/teams/${id}`, `${first}/teams/${id}/members`]),
    ...Object.values(providers).map((id) => `${first}/saml/${id}`),
    `${first}?${asOf}`,
    `${first}/members/${users.cleo}?${asOf}`,
    `${first}/teams/${teams.reviewers}?${asOf}`,
    `${first}/members?sort=name&order=asc`,
    `${first}/members?role=admin`,
    `${first}/teams`,
    `${first}/saml`,
    `${first}/sso`,
    `${first}/link-invites`,
    `${first}/agent-instructions`,
    `${first}/agent-instructions?format=markdown`,
    `${first}/audit-events?limit=100`,
    `${first}/changes?limit=1000`,
    '/subdomains/orchard',
  ];
  // Sessions are not read: they expire, and a recorded folder is read years later.
  const each = ['/user', '/user/tokens', '/orgs', first, `/orgs/${organizations.second}`];
  const callers = ['admin', 'ada', 'ben', 'cleo', 'build', 'limited'];
  return [
    ...admin.map((path) => ['admin', path]),
    ...callers.flatMap((caller) => each.map((path) => [caller, path])),
    ...['cleo', 'build', 'limited'].map((caller) => [caller, `${first}/changes?limit=20`]),
    ['cleo', '/email-domains/example.org/orgs'],
    ['cleo', `/orgs/${organizations.second}/audit-events?limit=100`],
    ['ada', `${first}/members?sort=name`],
    ['nobody', first],
    ['nobody', '/sso?email=somebody@example.org'],
    ['nobody', `/sso/saml/${providers.active}/metadata`],
  ];
}

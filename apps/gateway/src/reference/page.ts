import { createHash } from 'node:crypto';
import { faviconPath } from '../pages/layout.js';

const settings = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
};

const tokenLifetimeMs = 3_600_000;

/**
 * Starts the viewer. Most operations do not accept a session cookie, but a session can create tokens: at a click the
 * page creates one for an hour, and the viewer uses it.
 */
const start = `
const settings = {
  ...${JSON.stringify(settings)},
  // A mistyped field of a tried request is refused instead of ignored.
  onBeforeRequest: ({ request }) => request.headers.set('prefer', 'handling=strict'),
};
const viewer = Scalar.createApiReference('#app', settings);
const button = document.getElementById('use-session');
const state = document.getElementById('session-state');
button.addEventListener('click', async () => {
  button.disabled = true;
  const expiresAt = new Date(Date.now() + ${tokenLifetimeMs}).toISOString();
  const answer = await fetch('/v1/user/tokens', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ label: 'Reference page', expiresAt }),
  }).catch(() => null);
  button.disabled = false;
  if (answer === null || !answer.ok) {
    state.textContent = answer !== null && answer.status === 401 ? 'You are not signed in.' : 'The token could not be created, try again.';
    return;
  }
  const { token } = await answer.json();
  viewer.updateConfiguration({ ...settings, authentication: { preferredSecurityScheme: 'bearer', securitySchemes: { bearer: { token } } } });
  state.textContent = 'The page uses a token of your session for an hour.';
});
`;

/** The reference page: the buttons to sign in, the bundled viewer, and the script that starts it. */
export function referencePage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Scriptorium API reference</title>
<link rel="icon" href="${faviconPath}" type="image/svg+xml">
<style>.session { font: 14px/1.5 system-ui, sans-serif; display: flex; gap: 1rem; align-items: center; flex-wrap: wrap; padding: .4rem 1rem; }</style>
</head>
<body>
<div class="session"><a href="/sign-in">Sign in</a><button type="button" id="use-session">Use my session here</button><span id="session-state" role="status"></span></div>
<div id="app"></div>
<script src="/reference/script.js"></script>
<script>${start}</script>
</body>
</html>
`;
}

/**
 * The policy of the page: it runs its two scripts and connects to this origin only. Inline styles are allowed because
 * the viewer writes its styles into the page; they run no code.
 */
export const referencePolicy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(start).digest('base64')}'`,
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

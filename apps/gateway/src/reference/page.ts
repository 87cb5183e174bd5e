import { createHash } from 'node:crypto';

const settings = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
};

const start = `Scalar.createApiReference('#app', ${JSON.stringify(settings)});`;

/** The reference page: an empty document, the bundled viewer, and the line that starts it. */
export function referencePage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Scriptorium API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="app"></div>
<script src="/reference/script.js"></script>
<script>${start}</script>
</body>
</html>
`;
}

/**
 * What the page may do: run its two scripts, and talk to this origin alone. The viewer writes its styles into the page,
 * hence the one inline allowance, which runs no code.
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

import { runSpecs } from './specs.mjs';

// Run by `npm run test:conformance`: every conformance spec on the embedded servers, then those of each protocol for
// which a real server is named. None of them restarts its server or looks into its folder: all of them make sense on
// both.
const PROTOCOLS = {
  eventstore: 'CONFORMANCE_EVENTSTORE_URL',
  mongodb: 'CONFORMANCE_MONGODB_URL',
  nats: 'CONFORMANCE_NATS_URL',
};

const outcomes = [];
for (const protocol of Object.keys(PROTOCOLS)) {
  outcomes.push(
    await runSpecs({
      what: `${protocol}, embedded`,
      workspace: 'packages/embedded',
      pattern: `src/${protocol}/.*\\.conformance\\.spec`,
    }),
  );
}
for (const [protocol, variable] of Object.entries(PROTOCOLS)) {
  const url = process.env[variable] ?? '';
  if (url === '') {
    console.log(`${protocol}, real: left out, ${variable} is not set`);
    continue;
  }
  outcomes.push(
    await runSpecs({
      what: `${protocol}, server of ${variable}`,
      workspace: 'packages/embedded',
      pattern: `src/${protocol}/.*\\.conformance\\.spec`,
      servers: { [variable]: url },
    }),
  );
}
process.exitCode = outcomes.every(Boolean) ? 0 : 1;

// The health check of a container: ends with 0 when the process in it is ready.
const port = process.env.ADMIN_PORT;
try {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = answer.ok ? 0 : 1;
  if (!answer.ok) process.stdout.write(await answer.text());
} catch (error) {
  process.stdout.write(`${error.cause?.code ?? error.name}\n`);
  process.exitCode = 1;
}

// Run before a container is told to stop, so that proxies in front of it first learn that it is leaving: pause.mjs
// SECONDS
const seconds = Number(process.argv[2]);
if (!(seconds >= 0 && seconds <= 60)) process.exit(1);
setTimeout(() => undefined, seconds * 1000);

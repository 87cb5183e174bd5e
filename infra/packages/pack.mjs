// Run by `npm run pack`, after a build: the tarballs of the client and of the command in `packed/`, or in the folder
// that is named, checked as those who install them would see them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { problemsOfClient, problemsOfCommand } from './check.mjs';
import { packClient } from './client.mjs';
import { packCommand } from './command.mjs';
import { repository } from './stage.mjs';

const mostClientBytes = 1_000_000;

const destination = resolve(process.argv[2] ?? join(repository, 'packed'));
const staged = mkdtempSync(join(tmpdir(), 'scriptorium-pack-'));
try {
  const client = await packClient(join(staged, 'client'), destination);
  const command = packCommand(join(staged, 'command'), destination);
  for (const { file, size, unpackedSize, entryCount } of [client, command])
    process.stdout.write(`${file}: ${size} bytes, ${unpackedSize} unpacked, ${entryCount} files\n`);
  const problems = [
    ...(client.size > mostClientBytes ? [`The client has more than ${mostClientBytes} bytes`] : []),
    ...(await problemsOfClient(client.file)),
    ...(await problemsOfCommand(command.file)),
  ];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write(problems.length === 0 ? 'packages: all well\n' : `packages: ${problems.length} problems\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  rmSync(staged, { recursive: true });
}

// npm run fuzz: 20,000 requests generated from the OpenAPI document, on its own PostgreSQL server.
// --requests N, --seed TEXT (each run prints its seed).
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { installPackages } from './install.mjs';
import { startPostgres } from './machine.mjs';
import { run, showAndExit, tool, toolEnv } from './setup.mjs';

const { requests, seed } = parseArgs({
  options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string', default: randomUUID() } },
}).values;

try {
  await installPackages('all');
  const postgres = await startPostgres();
  try {
    const [command, bin] = tool('vitest');
    process.exitCode = await run(command, [bin, 'run', '--project', 'database', 'server/src/http/fuzz.test.ts'], {
      env: { ...toolEnv, TEST_DATABASE_URL: postgres.url, FUZZ_REQUESTS: requests, FUZZ_SEED: seed },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  } finally {
    await postgres.stop();
  }
} catch (error) {
  showAndExit(error);
}

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../harness/postgres.ts';
import { PortalProcess, ROOT, SECRETS_KEY } from './portal-process.ts';
import { injectFault } from './report.ts';
import type { ServerEnvironment } from './server-environment.ts';

const OTHER_KEY = 'another-key-of-chaos-with-32-characters-or-more';
const BOTH_KEYS = `${OTHER_KEY},${SECRETS_KEY}`;

/** Runs a command of the portal with the given keys and collects what it prints. */
async function runCommand(
  { databaseUrl, dataFolder, backupFolder, portal }: ServerEnvironment,
  keys: string,
  ...words: string[]
): Promise<{ code: number | null; output: string }> {
  const [file = '', ...rest] = words;
  const child = spawn(process.execPath, [join(ROOT, 'server/src', file), ...rest], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      PUBLIC_URL: portal.url,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataFolder,
      BACKUP_DIR: backupFolder,
      SECRETS_KEY: keys,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

function assertPrinted(
  { code, output }: { code: number | null; output: string },
  expected: number,
  text: string,
): void {
  if (code !== expected || !output.includes(text))
    throw new Error(`Expected exit code ${expected} and “${text}”, got ${code}:\n${output}`);
}

/**
 * A second process starts with keys that the first does not have. With another key alone it ends; with both it serves
 * beside the first. Then the old key is retired in the documented order, and no process starts with it any more.
 */
export async function changeKeys(environment: ServerEnvironment): Promise<void> {
  const { portal, readers, databaseUrl, dataFolder, backupFolder } = environment;
  const openSecond = async (keys: string) =>
    new PortalProcess(await freePort(), {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataFolder,
      BACKUP_DIR: backupFolder,
      SECRETS_KEY: keys,
    });

  await injectFault('a second process with another key, which ends', readers, 1, async () => {
    assertPrinted(await (await openSecond(OTHER_KEY)).runToEnd(), 1, 'does not contain the key of this database');
    if (!portal.isRunning) throw new Error('The first process ended.');
  });

  const second = await openSecond(BOTH_KEYS);
  try {
    await injectFault(
      'a second process with the other key before the right one, which serves',
      readers,
      1,
      async () => {
        await second.start().waitUntilReady();
        if ((await portal.getStatus('/v1/health')) !== 200)
          throw new Error('The first process does not serve any more.');
      },
    );
    await injectFault(
      'the key changed and the old one retired, then both processes started again',
      readers,
      1,
      async () => {
        portal.configure({ SECRETS_KEY: BOTH_KEYS });
        await portal.restart();
        await portal.waitUntilReady();
        assertPrinted(
          await runCommand(environment, BOTH_KEYS, 'operator.ts', 'rotate-key', '--discard'),
          0,
          'is retired',
        );
        for (const one of [portal, second]) {
          one.configure({ SECRETS_KEY: OTHER_KEY });
          await one.restart();
          await one.waitUntilReady();
        }
        assertPrinted(await (await openSecond(SECRETS_KEY)).runToEnd(), 1, 'which was retired');
        assertPrinted(await runCommand(environment, OTHER_KEY, 'verify-audit.ts'), 0, '✓ the audit log');
      },
    );
  } finally {
    await second.end('SIGKILL');
  }
}

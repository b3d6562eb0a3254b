import { join } from 'node:path';
import { injectFault } from './report.ts';
import type { ServerEnvironment } from './server-environment.ts';

const CLOCK_AHEAD = join(import.meta.dirname, 'clock-ahead.ts');
const MAX_LOGINS = 50;
const credentials = { email: 'teacher@willowbank.example', password: 'reading-1' };

/** An account is locked by wrong passwords while the clock is a day ahead: once it is corrected, its owner can log in. */
export const correctClock = async ({ portal, readers }: ServerEnvironment) =>
  injectFault('clock a day ahead, then corrected; an account locked meanwhile', readers, 1, async () => {
    await portal.restart(['--import', CLOCK_AHEAD]);
    await portal.waitUntilReady();
    await readers.waitForSuccess();
    let status = 0;
    for (let n = 0; n < MAX_LOGINS && status !== 429; n += 1)
      status = await portal.getStatus('/v1/auth', { ...credentials, password: 'wrong password' });
    if (status !== 429) throw new Error(`${MAX_LOGINS} wrong passwords were not limited: ${status}.`);
    await portal.restart();
    await portal.waitUntilReady();
    status = await portal.getStatus('/v1/auth', credentials);
    if (status !== 200) throw new Error(`The owner of the account got ${status} after the clock was corrected.`);
  });

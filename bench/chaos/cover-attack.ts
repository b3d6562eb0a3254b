import { Agent, get } from 'node:http';
import { injectFault } from './report.ts';
import { query, type ServerEnvironment } from './server-environment.ts';

const HEAP_MB = 300;
/** Their URLs together exceed the heap. */
const REQUESTS = 30_000;
const JUNK = 'x'.repeat(14_000);
const CONNECTIONS = 20;

/** An anonymous client requests one cover under many different URLs, which the process must not retain. */
export const attackCovers = async ({ databaseUrl, portal, readers }: ServerEnvironment) =>
  injectFault(`cover requested under ${REQUESTS} URLs of 14 kB, heap of ${HEAP_MB} MB`, readers, 1, async () => {
    await portal.restart([`--max-old-space-size=${HEAP_MB}`]);
    await portal.waitUntilReady();
    const [book] = await query<{ cover_version: string }>(
      databaseUrl,
      'select cover_version from books where id = 101',
    );
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const request = (n: number) =>
      new Promise<number>((resolve, reject) => {
        const url = `${portal.url}/content/covers/101?width=100&v=${book?.cover_version}&${JUNK}${n}`;
        get(url, { agent }, (response) => response.resume().once('end', () => resolve(response.statusCode ?? 0))).once(
          'error',
          reject,
        );
      });
    let sent = 0;
    const attack = async () => {
      while (sent < REQUESTS) {
        const status = await request((sent += 1));
        // 503 is the right answer while the process is overloaded.
        if (status !== 200 && status !== 503) throw new Error(`A cover was answered with ${status}.`);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, attack));
    agent.destroy();
    if (!portal.isRunning) throw new Error('The portal ran out of memory.');
    await portal.restart();
    await portal.waitUntilReady();
  });

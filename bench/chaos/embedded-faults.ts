import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../harness/postgres.ts';
import { PortalProcess } from './portal-process.ts';
import { buildSession, Readers } from './readers.ts';
import { addTotal, injectFault, printLine } from './report.ts';

const BATCH_SIZE = 200;

/** Faults of the portal with its embedded database; a full disk needs root. */
export async function injectEmbeddedFaults(folder: string): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const isSmallDisk = isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', disk]).status === 0;
  const portal = new PortalProcess(await freePort(), { DATA_DIR: join(disk, 'data') });
  const readers = new Readers(portal);
  try {
    printLine('The embedded portal loads its schools …');
    await portal.start().waitUntilReady();
    await readers.start();
    await injectFault('embedded portal killed and started again', readers, 2, () => portal.restart());
    if (isSmallDisk)
      await injectFault('disk full for 5 s; books still listed', readers, 1, async () => {
        const filler = join(disk, 'filler');
        const { bavail, bsize } = statfsSync(disk);
        const count = Math.ceil((bavail * bsize) / 65_536) + 1;
        spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k', `count=${count}`]);
        await wait(5000);
        if ((await portal.getStatus('/v1/reader/books', undefined, readers.tokens[0])) !== 200)
          throw new Error('Books could not be listed on a full disk.');
        rmSync(filler);
      });
    else printLine('The disk is not filled: that needs root and mount.');
    await readers.stop();
    addTotal('all of these, sent again', readers, await countDuplicates(portal, readers));
  } finally {
    await readers.stop();
    await portal.end('SIGKILL');
    if (isSmallDisk) spawnSync('umount', [disk]);
  }
}

/** Sends all acknowledged sessions again: the portal reports those that are stored as duplicates. */
async function countDuplicates(portal: PortalProcess, { acknowledged, tokenOf, tokens }: Readers): Promise<number> {
  let duplicates = 0;
  for (const token of tokens) {
    const ids = [...acknowledged].filter((id) => tokenOf.get(id) === token);
    for (let n = 0; n < ids.length; n += BATCH_SIZE) {
      const sessions = ids.slice(n, n + BATCH_SIZE).map(buildSession);
      const { status, reply } = await portal.request('/v1/reader/sessions', { sessions }, token);
      if (status !== 200) throw new Error(`Sessions that were sent again were answered with ${status}.`);
      duplicates += Number(reply.duplicates);
    }
  }
  return duplicates;
}

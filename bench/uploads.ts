import { randomBytes } from 'node:crypto';
import { adminToken } from './database.ts';
import { atMost, type Bench, type Figure, told } from './measure.ts';
import { servePortal } from './processes.ts';

const AT_ONCE = 60;
const BYTES = 9_000_000;
/** What a file is refused or put off with; anything else would be a fault. */
const STATUSES = [200, 400, 413, 415, 422, 429];

const megabytes = (value: number): string => `${Math.round(value)} MB`;

/** A list of pupils with so many rows that it is refused only once it has been read. */
const list = new Blob([`First name,Surname,Class\n${'Ada,Lovelace,Year 3 Badgers\n'.repeat(BYTES / 28)}`]);
/** What goes through all hands before it turns out to be no workbook. */
const noise = new Blob(['PK\x03\x04', randomBytes(BYTES)]);

/** Sixty previews of 9 MB at once: what a process of its own has of memory at most. */
export async function measureUploads({ world }: Bench): Promise<Figure[]> {
  const portal = await servePortal(world.url);
  try {
    const before = portal.peakMemory();
    const ask = async (n: number): Promise<number> => {
      const schoolId = 1 + (n % world.schools);
      const body = new FormData();
      body.append('readers_file', n % 2 ? list : noise, n % 2 ? 'roll.csv' : 'roll.xlsx');
      const response = await fetch(`${portal.url}/v1/enterprises/${schoolId}/readers/preview`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminToken(schoolId)}` },
        body,
      });
      await response.arrayBuffer();
      if (!STATUSES.includes(response.status)) throw new Error(`A preview answered ${response.status}.`);
      return response.status;
    };
    const statuses = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => ask(n)));
    const putOff = statuses.filter((status) => status === 429).length;
    return [
      told('Memory of a process at rest', megabytes(before)),
      told(`${AT_ONCE} uploads of 9 MB at once: put off with 429`, String(putOff)),
      atMost(`${AT_ONCE} uploads of 9 MB at once: memory at most`, portal.peakMemory(), 600, megabytes),
    ];
  } finally {
    await portal.stop();
  }
}

import { randomBytes } from 'node:crypto';
import { adminToken } from '../harness/environment.ts';
import { atMost, type Bench, type Figure, info } from '../harness/figures.ts';
import { servePortal } from '../harness/server-process.ts';

const UPLOADS = 60;
const BYTES = 9_000_000;
/** The expected statuses: a reply, a rejection, or a request to retry. */
const STATUSES = [200, 400, 413, 415, 422, 429];

const megabytes = (value: number): string => `${Math.round(value)} MB`;

/** A list of pupils with too many rows, which is rejected only after it has been read. */
const list = new Blob([`First name,Surname,Class\n${'Ada,Lovelace,Year 3 Badgers\n'.repeat(BYTES / 28)}`]);
/** A file that passes all checks before it proves not to be a workbook. */
const noise = new Blob(['PK\x03\x04', randomBytes(BYTES)]);

/** A Common Transfer File of 50 MB with 2,000 pupils, most of which the parser drops. */
const transferFile = new Blob([
  '<CTfile><CTFpupilData>',
  ...Array.from(
    { length: 2000 },
    (_, index) =>
      `<Pupil><Surname>Lovelace${'abcdefghij'.charAt(index % 10)}</Surname><Forename>Ada</Forename><DOB>${2000 + Math.floor(index / 280)}-${String(1 + (Math.floor(index / 28) % 10)).padStart(2, '0')}-${String(1 + (index % 28)).padStart(2, '0')}</DOB>${'<Notes>attendance and assessments</Notes>'.repeat(630)}</Pupil>`,
  ),
  '</CTFpupilData></CTfile>',
]);

/** How much memory do sixty concurrent previews of 9 MB need, and a Common Transfer File of 50 MB? */
export async function measureUploads(bench: Bench): Promise<Figure[]> {
  return [...(await measurePreviews(bench)), ...(await measureTransferFile(bench))];
}

async function measureTransferFile({ environment }: Bench): Promise<Figure[]> {
  const portal = await servePortal(environment.url);
  try {
    const body = new FormData();
    body.append('records_file', transferFile, 'transfer.xml');
    const response = await fetch(`${portal.url}/v1/enterprises/1/school-records`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken(1)}` },
      body,
    });
    if (response.status !== 200) throw new Error(`A transfer file returned ${response.status}.`);
    const size = `A Common Transfer File of ${megabytes(transferFile.size / 1024 / 1024)}`;
    return [atMost(`${size}: peak memory`, portal.peakMemory(), 600, megabytes)];
  } finally {
    await portal.stop();
  }
}

async function measurePreviews({ environment }: Bench): Promise<Figure[]> {
  const portal = await servePortal(environment.url);
  try {
    const before = portal.peakMemory();
    const preview = async (n: number): Promise<number> => {
      const schoolId = 1 + (n % environment.schools);
      const body = new FormData();
      body.append('readers_file', n % 2 ? list : noise, n % 2 ? 'pupils.csv' : 'pupils.xlsx');
      const response = await fetch(`${portal.url}/v1/enterprises/${schoolId}/readers/preview`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminToken(schoolId)}` },
        body,
      });
      await response.arrayBuffer();
      if (!STATUSES.includes(response.status)) throw new Error(`A preview returned ${response.status}.`);
      return response.status;
    };
    const statuses = await Promise.all(Array.from({ length: UPLOADS }, (_, n) => preview(n)));
    const rejected = statuses.filter((status) => status === 429).length;
    return [
      info('Memory of an idle process', megabytes(before)),
      info(`${UPLOADS} uploads of 9 MB at once: rejected with 429`, String(rejected)),
      atMost(`${UPLOADS} uploads of 9 MB at once: peak memory`, portal.peakMemory(), 600, megabytes),
    ];
  } finally {
    await portal.stop();
  }
}

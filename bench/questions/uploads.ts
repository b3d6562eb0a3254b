import { randomBytes } from 'node:crypto';
import { adminToken, PASSWORD } from '../harness/environment.ts';
import { atMost, type Bench, type Figure, info } from '../harness/figures.ts';
import { servePortal } from '../harness/server-process.ts';
import { startOneRosterServer } from '#server/testing/oneroster-server.ts';
import { bundleFiles } from '#server/testing/oneroster.ts';
import { zip } from '#server/testing/zip.ts';

const UPLOADS = 60;
const BYTES = 9_000_000;
/** The expected statuses: a reply, a rejection, or a request to retry. */
const STATUSES = [200, 400, 413, 415, 422, 429];

const megabytes = (value: number): string => `${Math.round(value)} MB`;

/** A list of pupils with too many rows, which is rejected only after it has been read. */
const list = new Blob([`First name,Surname,Class\n${'Ada,Lovelace,Year 3 Badgers\n'.repeat(BYTES / 28)}`]);
/** A file that passes all checks before it proves not to be a workbook. */
const noise = new Blob(['PK\x03\x04', randomBytes(BYTES)]);

const LETTERS = 'abcdefghij';
/** Pupils of Years 1 to 5 with names of letters, and dates of birth that tell them apart. */
const makePupils = (length: number) =>
  Array.from({ length }, (_, index) => ({
    id: `pupil-${index}`,
    given: 'Ada',
    family: `Lovelace${String(index).replaceAll(/\d/g, (digit) => LETTERS.charAt(Number(digit)))}`,
    birth: `${2015 + (index % 5)}-0${1 + (index % 9)}-1${index % 10}`,
    grade: `0${1 + (index % 5)}`,
    classes: [`class-${index % 60}`],
  }));
const PUPILS = makePupils(2000);
const CLASSES = Array.from({ length: 60 }, (_, index) => ({ id: `class-${index}`, title: `Year ${index}` }));

/** A Common Transfer File of 50 MB, most of which the parser drops. */
const transferFile = new Blob([
  '<CTfile><CTFpupilData>',
  ...PUPILS.map(
    ({ given, family, birth }) =>
      `<Pupil><Surname>${family}</Surname><Forename>${given}</Forename><DOB>${birth}</DOB>${'<Notes>attendance and assessments</Notes>'.repeat(630)}</Pupil>`,
  ),
  '</CTFpupilData></CTfile>',
]);

/** A OneRoster bundle of nearly 50 MB, whose metadata cannot be packed well. */
function buildBundle(): Blob {
  const files = bundleFiles({ pupils: PUPILS, classes: CLASSES });
  const [header = '', ...rows] = (files['users.csv'] ?? '').split('\r\n');
  const padding = () => Buffer.from(randomBytes(30_000).map((byte) => 35 + (byte % 90))).toString('latin1');
  const padded = rows.map((row) => `${row},"${padding()}"`);
  return new Blob([zip({ ...files, 'users.csv': [`${header},"metadata.notes"`, ...padded].join('\r\n') })]);
}

/** How much memory do sixty concurrent previews of 9 MB need, files of school records of 50 MB, and a OneRoster server? */
export async function measureUploads(bench: Bench): Promise<Figure[]> {
  const bundle = buildBundle();
  const size = (file: Blob) => megabytes(file.size / 1024 / 1024);
  return [
    ...(await measurePreviews(bench)),
    await measureRecords(bench, `A Common Transfer File of ${size(transferFile)}`, [transferFile]),
    await measureRecords(bench, `A OneRoster bundle of ${size(bundle)}`, [bundle]),
    await measureRecords(bench, 'Two of each at once', [transferFile, bundle, transferFile, bundle]),
    await measureConnection(bench, 2000),
    await measureConnection(bench, 20_000),
  ];
}

/** The peak memory of a process that checks the records of a OneRoster server, of which the school chose one year group. */
async function measureConnection({ environment }: Bench, pupils: number): Promise<Figure> {
  const portal = await servePortal(environment.url, { STAGE: 'local', OIDC_PRIVATE_NETWORK: 'on' });
  const server = await startOneRosterServer({ pupils: makePupils(pupils), classes: CLASSES });
  const label = `A OneRoster server with ${pupils.toLocaleString('en-GB')} pupils`;
  const call = async (path: string, body: object, token?: string): Promise<unknown> => {
    const response = await fetch(portal.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    if (response.status !== 200) throw new Error(`${label} returned ${response.status}: ${await response.text()}`);
    return response.json();
  };
  try {
    const login = await call('/v1/auth', { email: 'staff-1@school.example', password: PASSWORD });
    const { token } = (login as { meta: { token: string } }).meta;
    const connection = '/v1/enterprises/1/school-records/connection';
    const { url, tokenUrl: token_url, client } = server;
    await call(connection, { url, token_url, client_id: client.id, client_secret: client.secret }, token);
    await call(`${connection}/settings`, { school_years: [3] }, token);
    await call(`${connection}/check`, {}, token);
    return atMost(`${label}: peak memory`, portal.peakMemory(), 600, megabytes);
  } finally {
    await portal.stop();
    await server.stop();
  }
}

/** The peak memory of a process to which schools send these files at once. */
async function measureRecords({ environment }: Bench, label: string, files: readonly Blob[]): Promise<Figure> {
  const portal = await servePortal(environment.url);
  try {
    const send = async (file: Blob, index: number) => {
      const schoolId = index + 1;
      const body = new FormData();
      body.append('records_file', file, 'records');
      const response = await fetch(`${portal.url}/v1/enterprises/${schoolId}/school-records`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminToken(schoolId)}` },
        body,
      });
      if (response.status !== 200) throw new Error(`${label} returned ${response.status}: ${await response.text()}`);
    };
    await Promise.all(files.map(send));
    return atMost(`${label}: peak memory`, portal.peakMemory(), 600, megabytes);
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

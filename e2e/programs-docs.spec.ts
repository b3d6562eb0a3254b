import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BodyInputOf, ReplyOf } from '#contract/call.ts';
import type { programCalls, ReceivedSession } from '#contract/calls/programs.ts';
import { Secret, TOTP } from 'otpauth';
import { callApi, expect, test as base } from './portal.ts';
import { buildSchool, type School } from './school.ts';
import type { Portal } from './server.ts';

/*
 * Runs the examples of docs/programs.md as they are written there, with curl and Python, against a portal.
 */

const PAGE = readFileSync(join(import.meta.dirname, '../docs/programs.md'), 'utf8');
/** The examples that have a name, by name. */
const examples = new Map(
  [...PAGE.matchAll(/^```(?:sh|python) (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = '', code = '']) => [name, code]),
);

interface Folder {
  path: string;
  /** The address that examples call: the portal's. */
  url: string;
  /** Runs an example in the folder with a token. Returns what it printed. */
  run(name: string, token: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
}

const test = base.extend<{ folder: Folder }>({
  folder: async ({ portal }, use) => {
    const path = mkdtempSync(join(tmpdir(), 'portal-programs-'));
    for (const [name, code] of examples) writeFileSync(join(path, name), code);
    const folder: Folder = {
      path,
      url: portal.url,
      run: async (name, token, ...args) => {
        const program = name.endsWith('.py') ? 'python3' : 'sh';
        const env = { PATH: process.env.PATH, PORTAL_URL: folder.url, PORTAL_TOKEN: token };
        try {
          const output = await promisify(execFile)(program, [name, ...args], { cwd: path, env, timeout: 120_000 });
          return { code: 0, ...output };
        } catch (error) {
          return error as { code: number; stdout: string; stderr: string };
        }
      },
    };
    await use(folder);
    rmSync(path, { recursive: true });
  },
});

/** Gives the admin an authenticator app, without which they cannot make a program. */
async function addFactor(portal: Portal, { token }: School): Promise<void> {
  const path = '/users/me/factors/authenticator';
  const { secret } = await callApi<{ secret: string }>(portal, 'POST', path, {}, token);
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await callApi(portal, 'POST', `${path}/confirm`, { code, name: 'Phone' }, token);
}

/** Makes a program, and returns its token. */
async function makeProgram(
  portal: Portal,
  { id, token }: School,
  settings: Partial<BodyInputOf<typeof programCalls.makeProgram>> = {},
): Promise<string> {
  const body = { name: 'Warehouse', scopes: ['read_pupils', 'read_reading'], group_ids: null, days: 30, ...settings };
  const path = `/enterprises/${id}/programs`;
  return (await callApi<ReplyOf<typeof programCalls.makeProgram>>(portal, 'POST', path, body, token)).token;
}

const makeSessions = (count: number, started = '2026-09-14T09:00:00Z') =>
  Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    book_id: 101,
    started_at: new Date(Date.parse(started) + index * 60_000).toISOString(),
    reading_time: 30,
    last_page: 2,
    words_attempted: 20,
    words_correct: 19,
    has_completed_book: false,
    heatmap: [],
    played_words: [],
    skipped_words: [],
  }));

/** Sends the sessions of a pupil with the example, 500 at once. */
async function sendReading(
  { path, run }: Folder,
  token: string,
  school: School,
  pupil: string,
  sessions: ReturnType<typeof makeSessions>,
): Promise<void> {
  for (let from = 0; from < sessions.length; from += 500) {
    const sent = sessions.slice(from, from + 500);
    writeFileSync(join(path, 'sessions.json'), JSON.stringify({ sessions: sent }));
    const args = [String(school.id), String(school.pupils.get(pupil)), 'sessions.json'];
    const { code, stdout, stderr } = await run('send-reading.sh', token, ...args);
    expect(code, stdout + stderr).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ accepted: sent.length, duplicates: 0, rejected: [] });
  }
}

/** Lets the ten minutes pass after which sessions are listed. */
const passTime = (portal: Portal, { id }: School) =>
  portal.edit(`update reading_sessions set received_at = received_at - interval '20 minutes' where school_id = ${id}`);

test('docs/programs.md has four examples that are run', () => {
  expect([...examples.keys()]).toEqual(['first-call.sh', 'follow-reading.sh', 'follow_reading.py', 'send-reading.sh']);
});

test('the first call of the documentation describes the token, and a revoked token is answered with 401', async ({
  portal,
  folder,
}) => {
  const school = await buildSchool(portal, { classes: { Oak: ['Ada Baker'] } });
  await addFactor(portal, school);
  const token = await makeProgram(portal, school);
  const first = await folder.run('first-call.sh', token);
  expect(first.code, first.stderr).toBe(0);
  expect(JSON.parse(first.stdout)).toMatchObject({
    program: {
      name: 'Warehouse',
      scopes: ['read_pupils', 'read_reading'],
      groups: null,
      enterprise: { id: school.id, name: school.name },
    },
  });

  const path = `/enterprises/${school.id}/programs`;
  const { programs } = await callApi<ReplyOf<typeof programCalls.listPrograms>>(
    portal,
    'GET',
    path,
    undefined,
    school.token,
  );
  await callApi(portal, 'DELETE', `${path}/${programs[0]?.id}`, undefined, school.token);
  const after = await folder.run('first-call.sh', token);
  expect(after.code).not.toBe(0);
  expect(JSON.parse(after.stdout)).toMatchObject({ error_type: 'authentication' });
  for (const name of ['follow-reading.sh', 'follow_reading.py']) {
    const { code, stderr } = await folder.run(name, token, 'reading.sqlite');
    expect(code, name).not.toBe(0);
    expect(stderr, name).toContain('"error_type":"authentication"');
  }
});

test('the examples wait when the portal answers 429 or 503, and then go on', async ({ portal, folder }) => {
  const school = await buildSchool(portal, { classes: { Oak: ['Ada Baker'] } });
  await addFactor(portal, school);
  const token = await makeProgram(portal, school);
  await sendReading(
    folder,
    await makeProgram(portal, school, { scopes: ['intake'] }),
    school,
    'Ada Baker',
    makeSessions(1),
  );
  await passTime(portal, school);
  let statuses: number[] = [];
  /** Answers the next requests with these statuses, and passes the others to the portal. */
  const answer = async ({ url, headers }: IncomingMessage, response: ServerResponse) => {
    const status = statuses.shift();
    if (status) return response.writeHead(status, { 'retry-after': '1' }).end();
    const reply = await fetch(`${portal.url}${url}`, { headers: { authorization: headers.authorization ?? '' } });
    return response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
  };
  const proxy = createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  folder.url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  for (const name of ['follow-reading.sh', 'follow_reading.py']) {
    statuses = [429, 503];
    const { code, stderr } = await folder.run(name, token, 'reading.sqlite');
    expect(code, `${name}: ${stderr}`).toBe(0);
    expect(statuses, name).toEqual([]);
  }
  expect(readdirSync(folder.path)).toContain('reading-1.json');
  proxy.close();
});

test('the curl example saves every session once, and continues where it stopped', async ({ portal, folder }) => {
  const school = await buildSchool(portal, { classes: { Oak: ['Ada Baker', 'Ben Cole'] } });
  await addFactor(portal, school);
  const token = await makeProgram(portal, school);
  const intake = await makeProgram(portal, school, { name: 'Other app', scopes: ['intake'] });
  const listFiles = () => readdirSync(folder.path).filter((name) => /^(reading-\d+|page)\.json$/.test(name));
  const readSessions = () =>
    listFiles().flatMap(
      (name) => (JSON.parse(readFileSync(join(folder.path, name), 'utf8')) as { sessions: ReceivedSession[] }).sessions,
    );
  const follow = async () => {
    const { code, stderr } = await folder.run('follow-reading.sh', token);
    expect(code, stderr).toBe(0);
  };
  const [many, more] = [makeSessions(1001), makeSessions(2, '2026-10-01T09:00:00Z')];
  await sendReading(folder, intake, school, 'Ada Baker', many);
  // Not yet ten minutes old.
  await follow();
  expect(readSessions()).toEqual([]);
  await passTime(portal, school);
  await follow();
  expect(listFiles()).toHaveLength(3);
  await sendReading(folder, intake, school, 'Ben Cole', more);
  await follow();
  await passTime(portal, school);
  await follow();
  await follow();
  expect(listFiles()).toHaveLength(4);
  const sessions = readSessions();
  expect(sessions.map(({ id }) => id).sort()).toEqual([...many, ...more].map(({ id }) => id).sort());
  expect(sessions.filter(({ reader_id }) => reader_id === school.pupils.get('Ben Cole'))).toHaveLength(2);
});

test('the Python example copies reading to SQLite, follows it, and deletes the reading of pupils who are gone', async ({
  portal,
  folder,
}) => {
  const school = await buildSchool(portal, { classes: { Oak: ['Ada Baker', 'Ben Cole'], Elm: ['Cem Demir'] } });
  await addFactor(portal, school);
  const token = await makeProgram(portal, school, { group_ids: [school.classes.get('Oak') ?? 0] });
  const intake = await makeProgram(portal, school, { name: 'Other app', scopes: ['intake'] });
  const idOf = (name: string) => school.pupils.get(name) ?? 0;
  const follow = async () => {
    const { code, stdout, stderr } = await folder.run('follow_reading.py', token, 'reading.sqlite');
    expect(code, stderr).toBe(0);
    return stdout.trim();
  };
  const query = async (sql: string): Promise<unknown[][]> => {
    const code =
      'import json, sqlite3, sys; print(json.dumps(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall()))';
    const { stdout } = await promisify(execFile)('python3', ['-c', code, join(folder.path, 'reading.sqlite'), sql]);
    return JSON.parse(stdout) as unknown[][];
  };
  const counts = () => query('select reader_id, count(*), sum(reading_time) from sessions group by 1 order by 1');
  const totals = () => query('select reader_id, sum(reading_time) from days group by 1 order by 1');
  const [ada, ben, cem] = ['Ada Baker', 'Ben Cole', 'Cem Demir'].map(idOf) as [number, number, number];

  await sendReading(folder, intake, school, 'Ada Baker', makeSessions(1001));
  await sendReading(folder, intake, school, 'Ben Cole', makeSessions(2));
  await sendReading(folder, intake, school, 'Cem Demir', makeSessions(3));
  expect(await follow()).toBe('0 sessions were stored.');
  await passTime(portal, school);
  expect(await follow()).toBe('1003 sessions were stored.');
  expect(await counts()).toEqual([
    [ada, 1001, 30_030],
    [ben, 2, 60],
  ]);
  expect(await totals()).toEqual([
    [ada, 30_030],
    [ben, 60],
  ]);
  expect(await query('select id, name, class from pupils order by id')).toEqual([
    [ada, 'Ada Baker', 'Oak'],
    [ben, 'Ben Cole', 'Oak'],
  ]);

  // What is new, on a day of which the copy has a total already.
  await sendReading(folder, intake, school, 'Ben Cole', makeSessions(1));
  await passTime(portal, school);
  expect(await follow()).toBe('1 sessions were stored.');
  expect(await totals()).toEqual([
    [ada, 30_030],
    [ben, 90],
  ]);
  expect(await follow()).toBe('0 sessions were stored.');

  // A pupil leaves for the archive, and one joins the class of the program.
  await callApi(portal, 'POST', `/enterprises/${school.id}/archive`, { reader_ids: [ada] }, school.token);
  const move = `/enterprises/${school.id}/groups/${school.classes.get('Oak')}/readers/move`;
  await callApi(portal, 'POST', move, { reader_ids: [cem], source: school.classes.get('Elm') }, school.token);
  expect(await follow()).toBe('6 sessions were stored.');
  expect(await counts()).toEqual([
    [ben, 3, 90],
    [cem, 3, 90],
  ]);
  expect(await totals()).toEqual([
    [ben, 90],
    [cem, 90],
  ]);
});

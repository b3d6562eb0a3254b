import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { outbound } from '../../../http/outbound-fetch.ts';
import { retryWait } from '../../../http/retry-wait.ts';
import { startOneRosterServer } from '../../../testing/oneroster-server.ts';
import type { SchoolRecordsFile } from './file-content.service.ts';
import { readOneRosterServer } from './oneroster-rest.service.ts';

const CONTENT = {
  pupils: [
    { id: 'p1', given: 'Ada', family: 'Bell', classes: ['k1'], grade: '04', upn: 'B801200005001' },
    { id: 'p2', given: 'Bo', family: 'Carr', classes: ['k2'] },
    { id: 'p3', given: 'Cy', family: 'Dunn', classes: [] },
  ],
  classes: [
    { id: 'k1', title: 'Year 4 Wrens' },
    { id: 'k2', title: 'Year 3 Otters', type: 'scheduled' },
  ],
  staff: [{ id: 's1', given: 'Robin', family: 'Reed', email: 'robin@reed.example' }],
};

const server = await startOneRosterServer(CONTENT);
afterAll(() => server.stop());
const waits: number[] = [];
const wait = vi.spyOn(retryWait, 'wait').mockImplementation((ms) => {
  waits.push(ms);
  return Promise.resolve();
});
afterAll(() => wait.mockRestore());

beforeEach(() => {
  Object.assign(server, { fail: undefined, maxPage: 500, received: [], scopes: [] });
  server.serve(CONTENT);
  server.forgetTokens();
  waits.length = 0;
});

const readAll = (
  changes: object = {},
  { allowsPrivate = true, signal = new AbortController().signal, school = null as string | null } = {},
) =>
  readOneRosterServer(
    {
      url: server.url,
      tokenUrl: server.tokenUrl,
      clientId: server.client.id,
      clientSecret: server.client.secret,
      ...changes,
    },
    { allowsPrivate, signal, now: new Date('2026-11-18T12:00:00Z'), today: '2026-11-18', school },
  );
async function read(...given: Parameters<typeof readAll>): Promise<SchoolRecordsFile> {
  const { file } = await readAll(...given);
  if (!file) throw new Error('The school must be chosen.');
  return file;
}
const failureOf = (changes?: object, options?: Parameters<typeof read>[1]) =>
  read(changes, options).then(
    () => 'It was read.',
    (error: { failure?: string }) => error.failure ?? String(error),
  );

test('the OneRoster client reads pupils with classes, year groups and UPNs, and staff, and requests only the scope for reading', async () => {
  const file = await read();
  expect(file).toMatchObject({ kind: 'oneroster', isComplete: true, notes: [] });
  expect(file.pupils).toEqual([
    // oxfmt-ignore
    { sourceId: 'p1', name: 'Ada Bell', yearGroup: '4', classIds: ['k1'], upn: 'B801200005001', birthDate: null, isGone: false },
    { sourceId: 'p2', name: 'Bo Carr', yearGroup: '3', classIds: ['k2'], upn: null, birthDate: null, isGone: false },
    { sourceId: 'p3', name: 'Cy Dunn', yearGroup: '3', classIds: [], upn: null, birthDate: null, isGone: false },
  ]);
  expect(file.classes).toEqual([
    { sourceId: 'k1', name: 'Year 4 Wrens', isHomeroom: true },
    { sourceId: 'k2', name: 'Year 3 Otters', isHomeroom: false },
  ]);
  expect(file.staff).toEqual([{ name: 'Robin Reed', email: 'robin@reed.example' }]);
  expect(server.scopes).toEqual(['https://purl.imsglobal.org/spec/or/v1p2/scope/roster-core.readonly']);
  const query = 'limit=500&offset=0&sort=sourcedId&orderBy=asc';
  expect(server.received.map(({ path }) => path)).toEqual([
    '/token',
    ...['users', 'classes', 'enrollments'].map((kind) => `/ims/oneroster/rostering/v1p2/${kind}?${query}`),
  ]);
  // Also when the address ends in slashes.
  const paths = server.received.map(({ path }) => path);
  server.received = [];
  await read({ url: `${server.url}//` });
  expect(server.received.map(({ path }) => path)).toEqual(paths);
});

test('the OneRoster client leaves out roles that have ended, and enrolments and roles that begin later than today', async () => {
  const [ada, bo, cy] = server.records.users;
  const roleOf = (dates: object) => ({ roles: [{ role: 'student', org: { sourcedId: 'org' }, ...dates }] });
  Object.assign(ada ?? {}, roleOf({ endDate: '2026-11-17' }));
  Object.assign(bo ?? {}, roleOf({ beginDate: '2026-11-19' }));
  Object.assign(cy ?? {}, roleOf({ beginDate: '2026-11-18T00:00:00Z', endDate: '2026-11-18T00:00:00Z' }));
  Object.assign(server.records.enrollments[1] ?? {}, { user: { sourcedId: 'p3' }, beginDate: '2026-11-18T00:00:00Z' });
  expect((await read()).pupils.map(({ sourceId, isGone }) => [sourceId, isGone])).toEqual([
    ['p1', true],
    ['p2', true],
    ['p3', false],
  ]);
  expect((await read()).pupils[2]?.classIds).toEqual(['k2']);
});

test('the OneRoster client prefers the name by which a child is known, and leaves out what has ended or is to be deleted', async () => {
  Object.assign(server.records.users[0] ?? {}, { preferredFirstName: 'Addie', preferredLastName: null });
  Object.assign(server.records.users[1] ?? {}, { status: 'tobedeleted' });
  Object.assign(server.records.classes[1] ?? {}, { status: 'tobedeleted' });
  Object.assign(server.records.enrollments[0] ?? {}, { endDate: '2026-11-17T00:00:00Z' });
  const file = await read();
  expect(file.pupils.map(({ name, classIds, isGone }) => [name, classIds, isGone])).toEqual([
    ['Addie Bell', [], false],
    ['Bo Carr', [], true],
    ['Cy Dunn', [], false],
  ]);
});

const MANY = {
  pupils: Array.from({ length: 2000 }, (_, n) => ({
    id: `p${n}`,
    given: 'Ada',
    family: `B${n}`,
    classes: [`k${n % 70}`],
  })),
  classes: Array.from({ length: 70 }, (_, n) => ({ id: `k${n}`, title: `Class ${n}` })),
};

test('the OneRoster client reads 2,000 pupils in pages, also where the server sends fewer at once than requested', async () => {
  server.serve(MANY);
  server.maxPage = 300;
  const file = await read();
  expect(file.pupils).toHaveLength(2000);
  expect(new Set(file.pupils.map(({ sourceId }) => sourceId)).size).toBe(2000);
  expect(file.pupils.every(({ classIds }) => classIds.length === 1)).toBe(true);
  expect(server.received.filter(({ kind }) => kind === 'users').map(({ offset }) => offset)).toEqual([
    0, 299, 598, 897, 1196, 1495, 1794,
  ]);
});

test('the OneRoster client renews a token once when the server no longer accepts it', async () => {
  server.fail = ({ kind }) => {
    if (kind === 'classes') {
      server.fail = undefined;
      server.forgetTokens();
    }
    return undefined;
  };
  expect((await read()).pupils).toHaveLength(3);
  expect(server.received.filter(({ kind }) => kind === 'token')).toHaveLength(2);
  server.fail = ({ kind }) => void (kind === 'users' && server.forgetTokens());
  server.received = [];
  expect(await failureOf()).toMatch(/did not accept its own token/);
  expect(server.received.filter(({ kind }) => kind === 'users')).toHaveLength(2);
});

test.each([429, 500, 503])(
  'the OneRoster client retries after %i: first when the server says, then with increasing waits',
  async (status) => {
    let left = 4;
    server.fail = ({ kind }) =>
      kind === 'users' && (left -= 1) >= 0
        ? { status, ...(left === 3 && { headers: { 'retry-after': '7' } }) }
        : undefined;
    expect((await read()).pupils).toHaveLength(3);
    expect(waits).toEqual([7000, 2000, 4000, 8000]);
    left = 5;
    expect(await failureOf()).toMatch(new RegExp(`${status === 429 ? 'is busy' : 'has a fault'} \\(${status}\\)`));
  },
);

test('the OneRoster client waits until the date that the server states, but not longer than a minute', async () => {
  const until = (date: string) => ({ status: 429, headers: { 'retry-after': date } });
  server.fail = ({ kind }) => {
    if (kind === 'users') server.fail = undefined;
    return kind === 'users' ? until('Wed, 18 Nov 2026 12:00:05 GMT') : undefined;
  };
  expect((await read()).pupils).toHaveLength(3);
  expect(waits).toEqual([5000]);
  waits.length = 0;
  server.fail = () => until('Wed, 18 Nov 2026 12:02:00 GMT');
  expect(await failureOf()).toMatch(/is busy/);
  for (const seconds of ['61', '1209600', '9'.repeat(400)]) {
    server.fail = () => ({ status: 503, headers: { 'retry-after': seconds } });
    expect(await failureOf()).toMatch(/has a fault/);
  }
  expect(waits).toEqual([]);
});

test.each([
  ['a minute', '60', 60_000],
  ['a time that has passed', 'Wed, 18 Nov 2026 11:59:00 GMT', 0],
  ['no time', 'soon', 1000],
])('the OneRoster client waits when the server states %s', async (_name, stated, ms) => {
  server.fail = ({ kind }) => {
    if (kind !== 'users') return undefined;
    server.fail = undefined;
    return { status: 429, headers: { 'retry-after': stated } };
  };
  expect((await read()).pupils).toHaveLength(3);
  expect(waits).toEqual([ms]);
});

const ofUsers =
  (fault: object, from = 0): typeof server.fail =>
  ({ kind, offset }) =>
    kind === 'users' && offset >= from ? fault : undefined;

test.each([
  ['an outage that answers empty lists', { body: '{"users":[]}', total: 0 }, /has no users at the moment/],
  ['a short page', { body: '{"users":[]}' }, /states 4 users but sent 0/],
  ['no total', { total: null }, /does not state how many users/],
  ['a total that is no number', { headers: { 'x-total-count': 'many' } }, /does not state how many users/],
  ['a total below zero', { total: -1 }, /does not state how many users/],
  ['half a record', { total: 3.5 }, /does not state how many users/],
  ['a page with something else', { body: '[]' }, /sent “users” in another form/],
  ['a page that is cut off', { isCut: true }, /We could not reach .*cut off/],
  ['a page with half its JSON', { body: '{"users":[{"sourcedId":"p1"' }, /not answer in JSON/],
  ['a page of HTML', { body: '<html>Log in</html>' }, /not answer in JSON/],
  ['another form', { body: '{"users":[{"sourcedId":{}}]}' }, /sent “users.sourcedId” in another form/],
  ['no list', { body: '{"people":[]}' }, /sent “users” in another form/],
  ['too many records', { total: 100_001 }, /has 100,001 users/],
  ['as many records as allowed, but none', { total: 100_000, body: '{"users":[]}' }, /states 100000 users but sent 0/],
  ['too long a page', { body: ' '.repeat(4 * 1024 * 1024 + 1) }, /too much at once/],
  ['no permission', { status: 403 }, /does not let us read users/],
  ['another page', { status: 404 }, /There is no OneRoster 1\.2/],
  ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example' } }, /There is no OneRoster 1\.2/],
] as const)('a check rejects everything because of %s', async (_name, fault, failure) => {
  server.fail = ofUsers(fault);
  expect(await failureOf()).toMatch(failure);
});

test('a total that is too small makes a check reject everything, after one page', async () => {
  server.fail = ofUsers({ total: 2 });
  expect(await failureOf()).toMatch(/states 2 users but sent 4/);
  expect(server.received.filter(({ kind }) => kind === 'users')).toHaveLength(1);
});

test('a check rejects everything when a server sends more than 60 MB in total', async () => {
  server.serve(MANY);
  server.maxPage = 100;
  server.fail = ({ kind, offset }) => {
    const body = JSON.stringify({ [kind]: server.records.users.slice(offset, offset + 100) });
    return kind === 'users' ? { body: body.padEnd(3.9 * 1024 * 1024) } : undefined;
  };
  expect(await failureOf()).toMatch(/sent more than 60 MB/);
  // The token and 15 pages have less.
  expect(server.received).toHaveLength(1 + 16);
});

test.each(['', 'p'.repeat(256)])('a check rejects everything because of the sourcedId "%s"', async (sourcedId) => {
  Object.assign(server.records.users[0] ?? {}, { sourcedId });
  expect(await failureOf()).toContain('sent “users.sourcedId” in another form');
});

test.each<[string, object, string]>([
  ['no roles', { roles: undefined }, 'no role is stated for this user.'],
  ['an empty list of roles', { roles: [] }, 'no role is stated for this user.'],
  ['roles that are no list', { roles: 'student' }, 'no role is stated for this user.'],
  ['an unknown status', { status: 'gone' }, 'status is neither active nor tobedeleted.'],
  ['a surname of null', { familyName: null }, 'familyName is empty.'],
  ['a first name that is a list', { givenName: ['Ada'] }, 'givenName is empty.'],
  ['an unknown role', { roles: [{ role: 'pupil', org: null }] }, 'role is not one of OneRoster.'],
])('one user with %s is left out of a check and unchanged, and the others are read', async (_name, changes, fault) => {
  Object.assign(server.records.users[0] ?? {}, changes);
  const { pupils, notes } = await read();
  expect(pupils.map(({ name }) => name).sort()).toEqual(['Bo Carr', 'Cy Dunn', null]);
  expect(pupils.find(({ name }) => name === null)).toMatchObject({ sourceId: 'p1', classIds: [], isGone: false });
  expect(notes).toEqual([expect.stringMatching(`^users, record 1: ${fault} The (pupil|person) was left out.$`)]);
});

test('one enrolment or class that cannot be read is left out of a check', async () => {
  Object.assign(server.records.enrollments[0] ?? {}, { user: null });
  Object.assign(server.records.classes[1] ?? {}, { status: 5 });
  const { pupils, notes } = await read();
  expect(pupils.map(({ name, classIds }) => [name, classIds])).toEqual([
    ['Ada Bell', []],
    ['Bo Carr', []],
    ['Cy Dunn', []],
  ]);
  expect(notes).toEqual([
    'Enrolments left out, because their pupil or class is missing: 2.',
    'classes, record 2: status is neither active nor tobedeleted. The record was left out.',
  ]);
});

test('a check reads texts in another case, numbers as IDs, and long texts to 1,000 characters', async () => {
  Object.assign(server.records.users[0] ?? {}, {
    sourcedId: 1,
    status: 'Active',
    givenName: 'A'.repeat(2000),
    grades: '04',
    roles: [{ role: 'Student', org: 'org', endDate: '20/07/2027' }],
  });
  Object.assign(server.records.enrollments[0] ?? {}, { user: 1, role: 'STUDENT' });
  const { pupils, notes } = await read();
  expect(notes).toEqual([]);
  expect(pupils[0]).toMatchObject({
    sourceId: '1',
    name: `${'A'.repeat(1000)} Bell`,
    yearGroup: '4',
    classIds: ['k1'],
  });
});

test('a check reads a server of OneRoster 1.1, with its own scope', async () => {
  server.records.users.push({ ...server.records.users[3], sourcedId: 's2' });
  const roleOf = (role: string) => [{ role, org: { sourcedId: 'org' } }];
  Object.assign(server.records.users[4] ?? {}, { roles: roleOf('administrator') });
  const file = await read({ url: server.url11 });
  expect(file.pupils.map(({ name, classIds }) => [name, classIds])).toEqual([
    ['Ada Bell', ['k1']],
    ['Bo Carr', ['k2']],
    ['Cy Dunn', []],
  ]);
  expect(file.staff).toEqual([{ name: 'Robin Reed', email: 'robin@reed.example' }]);
  expect(file.notes).toEqual([]);
  expect(server.scopes).toEqual(['https://purl.imsglobal.org/spec/or/v1p1/scope/roster-core.readonly']);
  server.fail = ofUsers({ status: 404 });
  expect(await failureOf({ url: server.url11 })).toMatch(
    /There is no OneRoster 1\.1 .* ends in \/ims\/oneroster\/v1p1\./,
  );
});

test.each([
  ['a second page that is empty', { body: '{"users":[]}' }, /states 4 users but sent 2/],
  ['a total that changes', { total: 5 }, /changed while we read them/],
] as const)('a check rejects everything because of %s', async (_name, fault, failure) => {
  server.maxPage = 2;
  server.fail = ofUsers(fault, 1);
  expect(await failureOf()).toMatch(failure);
});

test('a check rejects everything when IDs change between pages', async () => {
  server.maxPage = 2;
  server.fail = ({ kind, offset }) => {
    if (kind === 'users' && offset > 0)
      for (const [index, user] of server.records.users.entries()) user.sourcedId = `new-${index}`;
    return undefined;
  };
  expect(await failureOf()).toMatch(/changed while we read them/);
});

test('a check rejects everything when the server sends an ID twice', async () => {
  server.records.users.push({ ...server.records.users[0], sourcedId: 'p1' });
  expect(await failureOf()).toMatch(/same sourcedId twice in users/);
  server.maxPage = 2;
  expect(await failureOf()).toMatch(/same sourcedId twice in users/);
});

test.each(['classes', 'enrollments'] as const)('a check rejects everything when the server has no %s', async (kind) => {
  server.records[kind] = [];
  expect(await failureOf()).toMatch(new RegExp(`has no ${kind} at the moment`));
});

test('a server with pupils of two schools is read for the chosen one, and asked for the names of both', async () => {
  Object.assign(server.records.users[0] ?? {}, { roles: [{ role: 'student', org: { sourcedId: 'other' } }] });
  expect(await readAll()).toEqual({
    schools: [
      { source_id: 'org', name: 'Oak Primary', pupils: 2 },
      { source_id: 'other', name: 'Oak Nursery', pupils: 1 },
    ],
    file: null,
  });
  expect((await read({}, { school: 'org' })).pupils.map(({ sourceId }) => sourceId)).toEqual(['p2', 'p3']);
  expect((await read({}, { school: 'other' })).pupils.map(({ sourceId }) => sourceId)).toEqual(['p1']);
});

test('a check of a server that sends one record at a time ends at the limit of requests', async () => {
  server.serve(MANY);
  server.maxPage = 2;
  expect(await failureOf()).toMatch(/sends too little at once/);
  expect(server.received).toHaveLength(1000);
});

test('the failure names wrong credentials', async () => {
  expect(await failureOf({ clientSecret: 'another' })).toMatch(/did not accept the client ID and secret/);
  expect(await failureOf({ tokenUrl: server.url.replace('/ims', '/elsewhere') })).toMatch(/client ID and secret/);
  for (const status of [400, 403]) {
    server.fail = () => ({ status });
    expect(await failureOf()).toMatch(/client ID and secret/);
  }
});

const tokenOf = (length: number) => JSON.stringify({ access_token: 'x'.repeat(length) });
test.each([
  ['something else', { body: '{"token":"x"}' }, /gave us no token \(200\)/],
  ['an empty token', { body: tokenOf(0) }, /gave us no token/],
  ['a token that is too long', { body: tokenOf(8193) }, /gave us no token/],
  ['a token with another status', { status: 404, body: tokenOf(8) }, /gave us no token \(404\)/],
  ['a reply that is too long', { body: ' '.repeat(64 * 1024 + 1) }, /too much at once/],
] as const)('the failure names a token address with %s', async (_name, fault, failure) => {
  server.fail = ({ kind }) => (kind === 'token' ? fault : undefined);
  expect(await failureOf()).toMatch(failure);
});

test('a check reaches no private address', async () => {
  expect(await failureOf({}, { allowsPrivate: false })).toMatch(/must begin with https and be public/);
  expect(server.received).toEqual([]);
});

test('the time limit ends a check with a failure, and the end of the process with the reason', async () => {
  const timeout = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
  expect(await failureOf({}, { signal: timeout })).toMatch(/took too long/);
  await expect(read({}, { signal: AbortSignal.abort(new Error('The process is stopping.')) })).rejects.toThrow(
    'stopping',
  );
});

test('a request to a OneRoster server has 30 seconds, and a fault of our own is thrown as it is', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  await read();
  expect(new Set(timeout.mock.calls.flat())).toEqual(new Set([30_000]));
  timeout.mockReturnValue(AbortSignal.abort(new DOMException('late', 'TimeoutError')));
  expect(await failureOf()).toMatch(/could not reach/);
  timeout.mockRestore();
  const making = vi.spyOn(outbound, 'makeFetch').mockReturnValue(() => Promise.reject(new TypeError('a fault')));
  await expect(read()).rejects.toThrow(TypeError);
  making.mockRestore();
});

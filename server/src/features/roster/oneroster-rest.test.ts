import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { retryWait } from '../../http/retry-wait.ts';
import { startOneRosterServer } from '../../testing/oneroster-server.ts';
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

const read = (changes: object = {}, { allowsPrivate = true, signal = new AbortController().signal } = {}) =>
  readOneRosterServer(
    {
      url: server.url,
      tokenUrl: server.tokenUrl,
      clientId: server.client.id,
      clientSecret: server.client.secret,
      ...changes,
    },
    { allowsPrivate, signal, now: new Date('2026-11-18T12:00:00Z'), today: '2026-11-18' },
  );
const failureOf = (changes?: object, options?: Parameters<typeof read>[1]) =>
  read(changes, options).then(
    () => 'It was read.',
    (error: { failure?: string }) => error.failure ?? String(error),
  );

test('reads pupils with classes, year groups and UPNs, and staff, with the scope for reading alone', async () => {
  const file = await read();
  expect(file).toMatchObject({ kind: 'oneroster', isComplete: true, notes: [] });
  expect(file.pupils).toEqual([
    // oxfmt-ignore
    { sourceId: 'p1', name: 'Ada Bell', schoolYear: 4, classIds: ['k1'], upn: 'B801200005001', birthDate: null, isGone: false },
    { sourceId: 'p2', name: 'Bo Carr', schoolYear: 3, classIds: ['k2'], upn: null, birthDate: null, isGone: false },
    { sourceId: 'p3', name: 'Cy Dunn', schoolYear: 3, classIds: [], upn: null, birthDate: null, isGone: false },
  ]);
  expect(file.classes).toEqual([
    { sourceId: 'k1', name: 'Year 4 Wrens', isHomeroom: true },
    { sourceId: 'k2', name: 'Year 3 Otters', isHomeroom: false },
  ]);
  expect(file.staff).toEqual([{ name: 'Robin Reed', email: 'robin@reed.example' }]);
  expect(server.scopes).toEqual(['https://purl.imsglobal.org/spec/or/v1p2/scope/roster-core.readonly']);
  expect(server.received.map(({ kind }) => kind)).toEqual(['token', 'users', 'classes', 'enrollments']);
});

test('prefers the name by which a child is known, and leaves out what has ended or is to be deleted', async () => {
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

test('reads 2,000 pupils in pages, also where the server sends fewer at once than requested', async () => {
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

test('a token that is no longer accepted is renewed once', async () => {
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

test.each([429, 500, 503])('tries again after %i: as long as asked for, then longer each time', async (status) => {
  let left = 4;
  server.fail = ({ kind }) =>
    kind === 'users' && (left -= 1) >= 0
      ? { status, ...(left === 3 && { headers: { 'retry-after': '7' } }) }
      : undefined;
  expect((await read()).pupils).toHaveLength(3);
  expect(waits).toEqual([7000, 2000, 4000, 8000]);
  left = 5;
  expect(await failureOf()).toMatch(new RegExp(`${status === 429 ? 'is busy' : 'has a fault'} \\(${status}\\)`));
});

test('waits until a date, but not longer than a minute', async () => {
  const until = (date: string) => ({ status: 429, headers: { 'retry-after': date } });
  server.fail = ({ kind }) => {
    if (kind === 'users') server.fail = undefined;
    return kind === 'users' ? until('Wed, 18 Nov 2026 12:00:05 GMT') : undefined;
  };
  expect((await read()).pupils).toHaveLength(3);
  expect(waits).toEqual([5000]);
  server.fail = () => until('Wed, 18 Nov 2026 12:02:00 GMT');
  expect(await failureOf()).toMatch(/is busy/);
  server.fail = () => ({ status: 503, headers: { 'retry-after': '61' } });
  expect(await failureOf()).toMatch(/has a fault/);
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
  ['a total that is too small', { total: 2 }, /states 2 users but sent 4/],
  ['a page that is cut off', { isCut: true }, /We could not reach .*cut off/],
  ['a page with half its JSON', { body: '{"users":[{"sourcedId":"p1"' }, /not answer in JSON/],
  ['a page of HTML', { body: '<html>Log in</html>' }, /not answer in JSON/],
  ['another form', { body: '{"users":[{"sourcedId":"p1","givenName":5}]}' }, /sent “users.givenName” in another form/],
  ['no list', { body: '{"people":[]}' }, /sent “users” in another form/],
  ['too many records', { total: 100_001 }, /has 100,001 users/],
  ['too long a page', { body: ' '.repeat(4 * 1024 * 1024 + 1) }, /too much at once/],
  ['no permission', { status: 403 }, /does not let us read users/],
  ['another page', { status: 404 }, /There is no OneRoster 1\.2/],
  ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example' } }, /There is no OneRoster 1\.2/],
] as const)('%s rejects everything', async (_name, fault, failure) => {
  server.fail = ofUsers(fault);
  expect(await failureOf()).toMatch(failure);
});

test.each([
  ['a second page that is empty', { body: '{"users":[]}' }, /states 4 users but sent 2/],
  ['a total that changes', { total: 5 }, /changed while we read them/],
] as const)('%s rejects everything', async (_name, fault, failure) => {
  server.maxPage = 2;
  server.fail = ofUsers(fault, 1);
  expect(await failureOf()).toMatch(failure);
});

test('IDs that change between pages reject everything', async () => {
  server.maxPage = 2;
  server.fail = ({ kind, offset }) => {
    if (kind === 'users' && offset > 0)
      for (const [index, user] of server.records.users.entries()) user.sourcedId = `new-${index}`;
    return undefined;
  };
  expect(await failureOf()).toMatch(/changed while we read them/);
});

test('an ID that is there twice rejects everything', async () => {
  server.records.users.push({ ...server.records.users[0], sourcedId: 'p1' });
  expect(await failureOf()).toMatch(/same sourcedId twice in users/);
  server.maxPage = 2;
  expect(await failureOf()).toMatch(/same sourcedId twice in users/);
});

test.each(['classes', 'enrollments'] as const)('no %s reject everything', async (kind) => {
  server.records[kind] = [];
  expect(await failureOf()).toMatch(new RegExp(`has no ${kind} at the moment`));
});

test('pupils of two schools reject everything', async () => {
  Object.assign(server.records.users[0] ?? {}, { roles: [{ role: 'student', org: { sourcedId: 'other' } }] });
  expect(await failureOf()).toMatch(/has pupils of 2 schools/);
});

test('a server that sends one new record at a time ends at the limit of requests', async () => {
  server.serve(MANY);
  server.maxPage = 2;
  expect(await failureOf()).toMatch(/sends too little at once/);
  expect(server.received).toHaveLength(1000);
});

test('wrong credentials and a token address with something else are named', async () => {
  expect(await failureOf({ clientSecret: 'another' })).toMatch(/did not accept the client ID and secret/);
  expect(await failureOf({ tokenUrl: server.url.replace('/ims', '/elsewhere') })).toMatch(/client ID and secret/);
  server.fail = ({ kind }) => (kind === 'token' ? { body: '{"token":"x"}' } : undefined);
  expect(await failureOf()).toMatch(/gave us no token/);
});

test('no private address is reached', async () => {
  expect(await failureOf({}, { allowsPrivate: false })).toMatch(/must begin with https and be public/);
  expect(server.received).toEqual([]);
});

test('its time limit ends it with a failure, and the end of the process with the reason', async () => {
  const timeout = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
  expect(await failureOf({}, { signal: timeout })).toMatch(/took too long/);
  await expect(read({}, { signal: AbortSignal.abort(new Error('The process is stopping.')) })).rejects.toThrow(
    'stopping',
  );
});

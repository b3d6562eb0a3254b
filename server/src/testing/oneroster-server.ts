import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BundleContent } from './oneroster.ts';

type Kind = 'users' | 'classes' | 'enrollments' | 'orgs';
type ServedRecord = { sourcedId: string } & Record<string, unknown>;

/** What the server answers instead of a page or a token. */
interface Fault {
  status?: number;
  headers?: Record<string, string>;
  /** The text of the answer. */
  body?: string;
  /** Ends the connection in the middle of the answer. */
  isCut?: boolean;
  /** The total of `X-Total-Count`; null for none. */
  total?: number | null;
}

/** A request that the server received. */
interface Received {
  kind: Kind | 'token';
  offset: number;
  /** With the query. */
  path: string;
}

/** A server of OneRoster 1.1 and 1.2 with one school, whose answers a test can change. */
export interface TestOneRosterServer {
  url: string;
  /** The address of OneRoster 1.1. */
  url11: string;
  tokenUrl: string;
  client: { id: string; secret: string };
  /** What it states from now on. */
  serve(content: BundleContent): void;
  /** Its records, which a test can change. */
  records: Record<Kind, ServedRecord[]>;
  fail: ((request: Received) => Fault | undefined) | undefined;
  /** The most records that it sends at once. */
  maxPage: number;
  /** What it received since it was last emptied. */
  received: Received[];
  scopes: string[];
  /** Accepts no token that it has given. */
  forgetTokens(): void;
  stop(): Promise<void>;
}

const ORG = { sourcedId: 'org', type: 'org' };
const parents = { course: { sourcedId: 'course', type: 'course' }, school: ORG };

function toRecords({ pupils, classes = [], staff = [] }: BundleContent): Record<Kind, ServedRecord[]> {
  const userOf = (role: string, id: string, given: string, family: string, rest: object) => ({
    sourcedId: id,
    status: 'active',
    dateLastModified: '2026-09-01T00:00:00.000Z',
    enabledUser: 'true',
    givenName: given,
    familyName: family,
    roles: [{ roleType: 'primary', role, org: ORG }],
    agents: [],
    ...rest,
  });
  const sorted = <T extends ServedRecord>(records: T[]): T[] =>
    records.sort((a, b) => (a.sourcedId < b.sourcedId ? -1 : 1));
  return {
    orgs: [
      { sourcedId: 'org', name: 'Oak Primary', type: 'school' },
      { sourcedId: 'other', name: 'Oak Nursery', type: 'school' },
    ],
    users: sorted([
      ...pupils.map(({ id, given, family, grade = '03', upn, status }) =>
        userOf('student', id, given, family, {
          grades: [grade],
          ...(status && { status }),
          ...(upn && { userIds: [{ type: 'UPN', identifier: upn }] }),
        }),
      ),
      ...staff.map(({ id, given, family, email }) => userOf('teacher', id, given, family, { email })),
    ]),
    classes: sorted(
      classes.map(({ id, title, type = 'homeroom' }) => ({
        sourcedId: id,
        status: 'active',
        title,
        classType: type,
        ...parents,
        // Two classes that each name the other as their parent.
        metadata: { parent: { sourcedId: classes.find((other) => other.id !== id)?.id ?? id } },
      })),
    ),
    enrollments: sorted(
      pupils.flatMap(({ id, classes: own = [] }) =>
        own.map((classId) => ({
          sourcedId: `e-${id}-${classId}`,
          status: 'active',
          role: 'student',
          user: { sourcedId: id, type: 'user' },
          class: { sourcedId: classId, type: 'class' },
          school: ORG,
        })),
      ),
    ),
  };
}

/** A user as OneRoster 1.1 has it: with one role, and a list of schools. */
function toVersion11({ roles, ...user }: ServedRecord): ServedRecord {
  const list = (roles ?? []) as { role: string; org: object }[];
  return { ...user, role: list[0]?.role, orgs: list.map(({ org }) => org) };
}

function answer(response: ServerResponse, { status = 200, headers = {}, body = '{}', isCut }: Fault): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  if (!isCut) response.end(body);
  else response.write(body.slice(0, body.length / 2), () => response.destroy());
}

/** Starts a OneRoster server on a free port of this machine. */
export async function startOneRosterServer(content: BundleContent): Promise<TestOneRosterServer> {
  let tokens = new Set<string>();
  let given = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://test.example');
    const kind = (url.pathname === '/token' ? 'token' : url.pathname.split('/').at(-1)) as Received['kind'];
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const received = { kind, offset, path: request.url ?? '' };
    self.received.push(received);
    const fault = self.fail?.(received);
    if (kind === 'token') {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        const expected = `Basic ${Buffer.from(`${self.client.id}:${self.client.secret}`).toString('base64')}`;
        if (fault) return answer(response, fault);
        if (request.headers.authorization !== expected) return answer(response, { status: 401 });
        const token = `token-${(given += 1)}`;
        tokens.add(token);
        self.scopes.push(new URLSearchParams(body).get('scope') ?? '');
        answer(response, { body: JSON.stringify({ access_token: token, token_type: 'bearer', expires_in: 3600 }) });
      });
      return;
    }
    if (!tokens.has(request.headers.authorization?.replace('Bearer ', '') ?? ''))
      return answer(response, { status: 401 });
    const records = self.records[kind];
    const isVersion11 = url.pathname.startsWith('/ims/oneroster/v1p1/');
    if (!records || !(isVersion11 || url.pathname.startsWith('/ims/oneroster/rostering/v1p2/')))
      return answer(response, { status: 404 });
    const served = isVersion11 && kind === 'users' ? records.map(toVersion11) : records;
    const limit = Math.min(self.maxPage, Number(url.searchParams.get('limit') ?? 100));
    const total = fault?.total === undefined ? records.length : fault.total;
    answer(response, {
      body: JSON.stringify({ [kind]: served.slice(offset, offset + limit) }),
      ...fault,
      headers: { ...(total !== null && { 'x-total-count': String(total) }), ...fault?.headers },
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const self: TestOneRosterServer = {
    url: `${origin}/ims/oneroster/rostering/v1p2`,
    url11: `${origin}/ims/oneroster/v1p1`,
    tokenUrl: `${origin}/token`,
    client: { id: 'the-portal', secret: 'a-secret-of-the-school' },
    serve: (next) => void (self.records = toRecords(next)),
    records: toRecords(content),
    fail: undefined,
    maxPage: 500,
    received: [],
    scopes: [],
    forgetTokens: () => void (tokens = new Set()),
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return self;
}

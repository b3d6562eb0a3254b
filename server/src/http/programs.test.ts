import { api } from '#contract/api.ts';
import type { BodyInputOf, Call } from '#contract/call.ts';
import { openapiDocument } from '#contract/openapi.ts';
import { PROGRAM_RATE, PROGRAM_SCOPES, type ProgramScope } from '#contract/programs.ts';
import { schoolActions } from '#contract/permissions.ts';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { inPlatform } from '../database/platform.ts';
import { testApp } from '../testing/app.ts';
import type { BuiltSchool } from '../testing/builder.ts';
import { exampleQuery, listOwnValues, pathWithIds, replaceValues } from '../testing/example-requests.ts';

const app = testApp();
const OWN = ['Ottilie Own', 'Oscar Own'];
const OTHER_CLASS = ['Felix Foreign', 'Fern Foreign'];
const UNPLACED = 'Mina Rahman';
const ELSEWHERE = ['Zelda Elsewhere', 'Zeno Elsewhere', 'Zora Elsewhere'];

let school: BuiltSchool;
let elsewhere: BuiltSchool;
beforeAll(async () => {
  school = await app.build.school({ ownPupils: OWN, otherPupils: OTHER_CLASS });
  elsewhere = await app.build.school({
    name: 'Elsewhere Primary',
    ownPupils: ELSEWHERE.slice(0, 2),
    otherPupils: ELSEWHERE.slice(2),
  });
  app.setTime('2026-11-18T10:00:00.000Z');
  for (const built of [school, elsewhere])
    for (const { id } of [...built.ownClass.pupils, ...built.otherClass.pupils, built.unplaced])
      await app.build.reading(built, id, [{ started_at: '2026-11-16T09:00:00.000Z', skipped_words: ['thimble'] }]);
  app.setTime('2026-11-18T12:00:00.000Z');
});

/** Every call with the scope that the published document names. */
interface Operation {
  call: Call;
  scope: ProgramScope | undefined;
}
const document = openapiDocument(api, 'Storylark') as unknown as {
  paths: Record<string, Record<string, { operationId: keyof typeof api; 'x-program-scope'?: ProgramScope }>>;
};
const operations: Operation[] = Object.values(document.paths).flatMap((methods) =>
  Object.values(methods).map((operation) => ({
    call: api[operation.operationId],
    scope: operation['x-program-scope'],
  })),
);
const titleOf = ({ method, path }: Call) => `${method} ${path}`;
const open = operations.filter(({ scope }) => scope !== undefined);
const closed = operations.filter(
  ({ call, scope }) =>
    scope === undefined && !['open', 'reader'].includes(call.permission) && call.name !== 'getProgram',
);

const ids = { id: crypto.randomUUID(), link: crypto.randomUUID() };
const bodyOf = (call: Call, own: BuiltSchool) =>
  call.method === 'POST'
    ? (replaceValues(call.example?.body ?? {}, listOwnValues(own, ids.link)) as object)
    : undefined;
const ask = (
  call: Call,
  token: string,
  {
    target = school,
    schoolId = target.id,
    own = school,
    query = exampleQuery(call),
  }: { target?: BuiltSchool; schoolId?: number; own?: BuiltSchool; query?: string } = {},
) =>
  app.ask(call.method, pathWithIds(call, target, ids, schoolId) + (call.method === 'GET' ? query : ''), {
    token,
    ...(call.method === 'POST' ? { payload: bodyOf(call, own) ?? {} } : {}),
  });

/** All rows that a call could change as text, but for when programs were used and who looked. */
async function everything(): Promise<unknown> {
  const { rows } = await sql<{ name: string }>`
    select c.table_name as name from information_schema.columns c where table_schema = 'public' and column_name = 'school_id'
      and table_name not in ('sessions', 'daily_views', 'programs') order by 1`.execute(app.database.kysely);
  const sums = rows.map(
    ({ name }) =>
      sql`select ${name}::text as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${sql.table(name)} t`,
  );
  return (await sql`${sql.join(sums, sql` union all `)}`.execute(app.database.kysely)).rows;
}
const foreignIn = (text: string, names: readonly string[]) => names.filter((name) => text.includes(name));

test('these calls are open to programs, by scope', () => {
  const byScope = Object.fromEntries(
    PROGRAM_SCOPES.map((scope) => [
      scope,
      open.flatMap((operation) => (operation.scope === scope ? operation.call.name : [])).sort(),
    ]),
  );
  expect(byScope).toEqual({
    read_pupils: ['getClass', 'getPupil', 'listClasses', 'listPupils'],
    read_reading: ['getClassReading', 'getPupilSummary', 'listReading'],
    write_pupils: [
      'addPupilsToClass',
      'archivePupils',
      'createClass',
      'createPupils',
      'movePupils',
      'removePupilFromClass',
      'renameClass',
      'renamePupil',
      'restorePupils',
      'setYearGroups',
    ],
    books: [
      'assignBookToClass',
      'assignBookToPupil',
      'assignBooksToClass',
      'assignBooksToPupil',
      'listBooksForPupil',
      'listClassBooks',
      'removeBookFromClass',
      'removeBookFromPupil',
      'removeBooksFromClass',
      'removeBooksFromPupil',
    ],
    intake: ['storePupilSessions'],
  });
});

test('no call about accounts, roles, money, files, a proof or the school’s settings is open to programs', () => {
  const pupils = ['view_pupils', 'manage_classes', 'manage_pupils', 'edit_pupils', 'manage_books', 'program'];
  for (const { call } of open) {
    expect([call.name, call.ownerOnly, call.needsProof, call.files]).toEqual([call.name, undefined, undefined, []]);
    // Archiving is undone by restoring; a program never erases.
    if (!['archivePupils', 'restorePupils'].includes(call.name)) expect(pupils).toContain(call.permission);
  }
  expect(Object.keys(schoolActions)).toContain('edit_school');
});

describe.each(closed.map(({ call }) => [titleOf(call), call] as const))('%s', (_, call) => {
  test('answers 403 to a program with every scope, and changes nothing', async () => {
    const { token } = await app.build.program(school);
    const before = await everything();
    const { status, error } = await ask(call, token);
    expect({ status, code: error.code }).toEqual({ status: 403, code: 'not_for_programs' });
    expect(await everything()).toEqual(before);
  });
});

test.each(
  operations.filter(({ call }) => call.permission === 'reader').map(({ call }) => [titleOf(call), call] as const),
)('%s, which is a pupil’s, answers 401 to a program', async (_, call) => {
  const { token } = await app.build.program(school);
  expect((await ask(call, token)).status).toBe(401);
});

describe.each(open.map(({ call, scope }) => [titleOf(call), call, scope as ProgramScope] as const))(
  '%s',
  (_, call, scope) => {
    test('answers 403 to a program with every other scope, and changes nothing', async () => {
      const { token } = await app.build.program(school, { scopes: PROGRAM_SCOPES.filter((other) => other !== scope) });
      const before = await everything();
      const { status, error } = await ask(call, token);
      expect({ status, code: error.code }).toEqual({ status: 403, code: 'program_scope_missing' });
      expect(await everything()).toEqual(before);
    });

    test('answers 404 to things of another school, names none of its pupils and changes nothing', async () => {
      const { token } = await app.build.program(school, { scopes: [scope] });
      const before = await everything();
      const tries = [
        await ask(call, token, { target: elsewhere }),
        // The own school in the path, with what belongs to the other one.
        ...(/\{(?!id\}|bookId\})/.test(call.path)
          ? [await ask(call, token, { target: elsewhere, schoolId: school.id, own: elsewhere })]
          : []),
      ];
      for (const { status, text } of tries) expect([status, foreignIn(text, ELSEWHERE)]).toEqual([404, []]);
      expect(await everything()).toEqual(before);
    });

    test('works for a program with its scope alone, and names no pupil of another school', async () => {
      const own = await app.build.school({ ownPupils: OWN, otherPupils: OTHER_CLASS });
      const { token } = await app.build.program(own, { scopes: [scope] });
      if (call.name === 'restorePupils') {
        const both = await app.build.program(own);
        const body = bodyOf(call, own) as BodyInputOf<typeof api.archivePupils>;
        await app.call(api.archivePupils, { params: { id: own.id }, body, token: both.token });
      }
      if (call.name === 'movePupils') await app.build.move(own, own.ownClass.pupils[0]?.id ?? 0, null);
      const { status, text } = await ask(call, token, { target: own, own });
      expect([status, status === 200 ? '' : text]).toEqual([200, '']);
      expect(foreignIn(text, ELSEWHERE)).toEqual([]);
    });

    if (call.program?.isWholeSchool)
      test('answers 403 to a program that is limited to classes, and changes nothing', async () => {
        const { token } = await app.build.program(school, { scopes: [scope], classIds: [school.ownClass.id] });
        const before = await everything();
        const { status, error } = await ask(call, token);
        expect({ status, code: error.code }).toEqual({ status: 403, code: 'program_limited' });
        expect(await everything()).toEqual(before);
      });
    else
      test('names and changes no pupil outside the classes to which a program is limited', async () => {
        const { token } = await app.build.program(school, { scopes: [scope], classIds: [school.ownClass.id] });
        const before = await everything();
        const outside = [
          { ...school, ownClass: school.otherClass },
          { ...school, ownClass: { ...school.otherClass, pupils: [school.unplaced] } },
        ];
        const isAboutOne = /\{(readerId|groupId)\}/.test(call.path);
        for (const target of outside) {
          const { status, text } = await ask(call, token, { target, own: target });
          expect(foreignIn(text, [...OTHER_CLASS, UNPLACED])).toEqual([]);
          if (isAboutOne && (target === outside[0] || call.path.includes('{readerId}'))) expect(status).toBe(404);
        }
        if (isAboutOne) expect(await everything()).toEqual(before);
        for (const query of [exampleQuery(call), '?length=100&groups=none', '?limit=1000']) {
          if (call.method !== 'GET') continue;
          const { text } = await ask(call, token, { query });
          expect(foreignIn(text, [...OTHER_CLASS, UNPLACED, ...ELSEWHERE])).toEqual([]);
        }
      });

    test('answers by the state of the school: 402 when it is locked, as to staff; 409 without the terms; 401 when closed', async () => {
      const own = await app.build.school();
      const { token } = await app.build.program(own);
      const run = (statement: ReturnType<typeof sql>) => inPlatform(app.database, (db) => statement.execute(db.tx));
      await run(sql`update schools set terms_accepted_at = null where id = ${own.id}`);
      const withoutTerms = await ask(call, token, { target: own, own });
      expect([withoutTerms.status, withoutTerms.error.code]).toEqual([409, 'terms_not_accepted']);
      await run(sql`update schools set terms_accepted_at = now() where id = ${own.id}`);
      await app.build.invoice(own);
      const due = (day: string) =>
        run(sql`update invoices set due_date = ${day}::date, locks_on = ${day}::date + 1 where school_id = ${own.id}`);
      await due('2026-11-17');
      const overdue = await ask(call, token, { target: own, own });
      const isTeaching = (call.area ?? 'teaching') === 'teaching';
      expect(overdue.status === 402).toBe(isTeaching);
      await due('2026-11-18');
      const { status } = await ask(call, token, { target: own, own });
      expect([401, 402, 403, 409]).not.toContain(status);
      await run(sql`insert into school_closings (school_id, requested_by, requested_at, takes_effect_at, closed_at, erase_at)
        values (${own.id}, ${own.admin.id}, now(), now(), now(), now())`);
      expect((await ask(call, token, { target: own, own })).status).toBe(401);
    });
  },
);

test('a program that is limited to a class takes no pupil without a class into it', async () => {
  const own = await app.build.school();
  const { token } = await app.build.program(own, { scopes: ['write_pupils'], classIds: [own.ownClass.id] });
  const { status } = await app.call(api.movePupils, {
    params: { id: own.id, groupId: own.ownClass.id },
    body: { reader_ids: [own.unplaced.id], source: null },
    token,
  });
  expect(status).toBe(404);
});

describe('what is confidential', () => {
  test('a program reads no notes, tags, words or reasons of pupils, in whatever call', async () => {
    const own = await app.build.school();
    const { token } = await app.build.program(own);
    const [pupil] = own.ownClass.pupils;
    await app.build.reading(own, pupil?.id ?? 0, [
      { started_at: '2026-11-16T09:00:00.000Z', played_words: ['tub'], skipped_words: ['tub'] },
    ]);
    const tag = await app.call(api.createPupilTag, {
      params: { id: own.id },
      body: { name: 'Watchful' },
      token: own.admin.token,
    });
    await app.call(api.tagPupils, {
      params: { id: own.id },
      body: { changes: [{ tag_id: tag.reply.id, add: [pupil?.id ?? 0] }] },
      token: own.admin.token,
    });
    for (const { call } of open.filter((operation) => operation.call.method === 'GET')) {
      const { status, text } = await ask(call, token, { target: own, own });
      expect([call.name, status, foreignIn(text, ['"tub"', 'Watchful'])]).toEqual([call.name, 200, []]);
    }
    // A filter by tag would tell who has it.
    const { reply } = await app.call(api.listPupils, {
      params: { id: own.id },
      query: { tag: String(tag.reply.id) },
      token,
    });
    expect(reply.readers).toEqual([]);
  });

  test('what a program did and received is named after it, not after its admin alone', async () => {
    const own = await app.build.school();
    const { token, id } = await app.build.program(own, { name: 'Warehouse' });
    const [pupil] = own.ownClass.pupils;
    const at = { params: { id: own.id, readerId: pupil?.id ?? 0 } };
    await app.call(api.renamePupil, { ...at, body: { name: 'Ada Smith' }, token });
    await app.build.reading(own, pupil?.id ?? 0, [{}]);
    app.setTime('2026-11-18T12:11:00.000Z');
    await app.call(api.listReading, { params: { id: own.id }, query: {}, token });
    app.setTime('2026-11-18T12:00:00.000Z');
    await app.fastify.recordViews.flush();
    const program = { id, name: 'Warehouse' };
    const changes = await app.call(api.listAuditLog, {
      params: { id: own.id },
      query: { actor_id: 'programs' },
      token: own.admin.token,
    });
    expect(changes.reply.entries).toMatchObject([{ action: 'pupil_renamed', program, actor: { id: own.admin.id } }]);
    const { reply } = await app.call(api.listRecordViews, { ...at, query: {}, token: own.admin.token });
    expect(reply.views).toMatchObject([
      { what: 'file', screen: 'reading', program },
      { what: 'change', program },
    ]);
    // The admin alone is another row than their program.
    await app.call(api.getPupilSummary, { ...at, query: {}, token: own.admin.token });
    await app.fastify.recordViews.flush();
    const again = await app.call(api.listRecordViews, { ...at, query: {}, token: own.admin.token });
    expect(again.reply.views.filter((view) => view.program === null)).toHaveLength(1);
  });
});

describe('a token', () => {
  test('opens nothing as a cookie, or with another beginning', async () => {
    const { token } = await app.build.program(school);
    for (const headers of [{ cookie: `__Host-session=${token}` }, { cookie: `session=${token}` }])
      expect((await app.ask('GET', '/program', { headers })).status).toBe(401);
    expect((await app.ask('GET', '/program', { token: token.replace('portal_program_', '') })).status).toBe(401);
    expect((await app.ask('GET', '/program', { token })).status).toBe(200);
  });

  test('is stored as a hash alone', async () => {
    const { token } = await app.build.program(school);
    const { rows } = await sql<{ row: string }>`
      select t::text as row from program_tokens t union all select p::text from programs p`.execute(
      app.database.kysely,
    );
    expect(rows.length).toBeGreaterThan(1);
    for (const { row } of rows) expect(row).not.toContain(token.slice(-20));
  });

  test(`makes ${PROGRAM_RATE.tries} calls in five minutes, and not one more; another program is not held up`, async () => {
    const { token } = await app.build.program(school);
    const other = await app.build.program(school);
    await app.ask('GET', '/program', { token });
    await sql`update rate_limits set tries = ${PROGRAM_RATE.tries - 1} where tries = 1`.execute(app.database.kysely);
    expect((await app.ask('GET', '/program', { token })).status).toBe(200);
    const late = await app.ask('GET', '/program', { token });
    expect([late.status, Number(late.headers['retry-after'])]).toEqual([429, PROGRAM_RATE.seconds]);
    expect(late.error.error).toContain('600 calls in 5 minutes');
    expect((await app.ask('GET', '/program', { token: other.token })).status).toBe(200);
    app.setTime('2026-11-18T12:05:01.000Z');
    expect((await app.ask('GET', '/program', { token })).status).toBe(200);
    app.setTime('2026-11-18T12:00:00.000Z');
  });

  test('repeats nothing for a repeated Idempotency-Key, which is the program’s own', async () => {
    const own = await app.build.school();
    const first = await app.build.program(own);
    const second = await app.build.program(own);
    const create = (token: string) =>
      app.call(api.createClass, {
        params: { id: own.id },
        body: { name: 'Herons' },
        token,
        headers: { 'idempotency-key': '3f0c2b6e-9d1a-4f7b-8c25-5e7a1d9b4c33' },
      });
    expect((await create(first.token)).status).toBe(200);
    expect((await create(first.token)).status).toBe(200);
    expect((await create(second.token)).error.error_type).not.toBe(undefined);
  });
});

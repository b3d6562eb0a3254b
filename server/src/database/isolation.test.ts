import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { sendMail } from '../mail/mail.ts';
import { NO_PEOPLE } from '../mail/outbox.queries.ts';
import { testApp } from '../testing/app.ts';
import type { BuiltSchool } from '../testing/builder.ts';
import { readInPlatform, inPlatform } from './platform.ts';
import { inSchool, type SchoolDb } from './school.ts';

const app = testApp();
let school: BuiltSchool;
let otherSchool: BuiltSchool;
beforeAll(async () => {
  const built = await app.build.twoSchools();
  [school, otherSchool] = [built.school, built.otherSchool];
});

const inOwnSchool = <T>(work: (db: SchoolDb) => Promise<T>) => inSchool(app.database, school.id, work);
const nameOf = async (pupilId: number) =>
  (await app.database.kysely.selectFrom('pupils').select('name').where('id', '=', pupilId).executeTakeFirst())?.name;

describe('work in a school', () => {
  test('work in a school cannot read rows of another school, even without a condition', async () => {
    expect(
      await inOwnSchool((db) =>
        db.tx.selectFrom('pupils').select('id').where('school_id', '=', otherSchool.id).execute(),
      ),
    ).toEqual([]);
    const schools = await inOwnSchool((db) => db.tx.selectFrom('pupils').select('school_id').distinct().execute());
    expect(schools).toEqual([{ school_id: school.id }]);
    expect(await inOwnSchool((db) => db.tx.selectFrom('schools').select('id').execute())).toEqual([{ id: school.id }]);
    const emails = await inOwnSchool((db) => db.tx.selectFrom('users').select('email').execute());
    expect(emails.map(({ email }) => email).sort()).toEqual([school.admin.email, school.teacher.email].sort());
  });

  test('work in a school cannot change or delete rows of another school', async () => {
    await inOwnSchool((db) =>
      db.tx.updateTable('pupils').set({ name: 'Taken Over' }).where('school_id', '=', otherSchool.id).execute(),
    );
    await inOwnSchool((db) => db.tx.deleteFrom('pupils').where('id', '=', otherSchool.unplaced.id).execute());
    expect(await nameOf(otherSchool.unplaced.id)).toBe('Mina Rahman');
  });

  test('work in a school cannot insert rows into another school or move them there', async () => {
    const write = inOwnSchool((db) =>
      db.tx
        .insertInto('classes')
        .values({ school_id: otherSchool.id, name: 'Mine', name_key: 'mine', manager_id: null, created_at: new Date() })
        .execute(),
    );
    await expect(write).rejects.toMatchObject({ code: '42501' });
    const move = inOwnSchool((db) =>
      db.tx.updateTable('classes').set({ school_id: otherSchool.id }).where('id', '=', school.otherClass.id).execute(),
    );
    await expect(move).rejects.toMatchObject({ code: '42501' });
  });

  test("work in a school cannot reference another school's rows, because every foreign key includes the school", async () => {
    for (const write of [
      () =>
        inOwnSchool((db) =>
          db.tx
            .updateTable('pupils')
            .set({ class_id: otherSchool.ownClass.id })
            .where('id', '=', school.unplaced.id)
            .execute(),
        ),
      () =>
        inOwnSchool((db) =>
          db.tx
            .updateTable('classes')
            .set({ manager_id: otherSchool.teacher.id })
            .where('id', '=', school.otherClass.id)
            .execute(),
        ),
      () =>
        inOwnSchool((db) =>
          db.tx
            .insertInto('pupil_books')
            .values({
              school_id: school.id,
              pupil_id: otherSchool.unplaced.id,
              book_id: 101,
              assigned_by: null,
              assigned_at: new Date(),
            })
            .execute(),
        ),
    ])
      await expect(write()).rejects.toMatchObject({ code: '23503' });
    // The platform's role cannot bypass row-level security either.
    const platform = app.database.kysely
      .updateTable('pupils')
      .set({ class_id: otherSchool.ownClass.id })
      .where('id', '=', school.unplaced.id)
      .execute();
    await expect(platform).rejects.toMatchObject({ code: '23503' });
  });

  test.each(['sessions', 'rate_limits', 'own_readers', 'catalogue_state', 'kysely_migration'])(
    'work in a school cannot read rows of the platform in %s',
    async (table) => {
      const look = inOwnSchool((db) => sql`select * from ${sql.table(table)}`.execute(db.tx));
      if (table === 'sessions')
        expect((await look).rows.every((row) => (row as { school_id: number }).school_id === school.id)).toBe(true);
      else await expect(look).rejects.toMatchObject({ code: '42501' });
    },
  );

  test('work in a school can add a mail to the outbox, and read none', async () => {
    await inOwnSchool((db) =>
      sendMail(
        db,
        { kind: 'invite', recipient: 'a@test.example', subject: 's', html: 'h', text: 't' },
        NO_PEOPLE,
        new Date(),
      ),
    );
    await expect(inOwnSchool((db) => db.tx.selectFrom('outbox').select('recipient').execute())).rejects.toMatchObject({
      code: '42501',
    });
  });

  test('work in a school can read the catalogue, and not change it', async () => {
    expect(await inOwnSchool((db) => db.tx.selectFrom('books').select('id').where('id', '=', 101).execute())).toEqual([
      { id: 101 },
    ]);
    await expect(inOwnSchool((db) => db.tx.updateTable('books').set({ title: 'x' }).execute())).rejects.toMatchObject({
      code: '42501',
    });
  });

  test('work in a school that fails saves nothing and throws the original error', async () => {
    const fault = new Error('halfway');
    const half = inOwnSchool(async (db) => {
      await db.tx.updateTable('pupils').set({ name: 'Half Done' }).where('school_id', '=', school.id).execute();
      throw fault;
    });
    await expect(half).rejects.toBe(fault);
    expect(await nameOf(school.unplaced.id)).toBe('Mina Rahman');
  });

  test('work in a school leaves no role or school on its connection', async () => {
    await inOwnSchool((db) => db.tx.selectFrom('pupils').select('id').execute());
    await inOwnSchool(async () => undefined);
    await expect(inOwnSchool(() => Promise.reject(new Error('nothing done')))).rejects.toThrow('nothing done');
    const { rows } = await readInPlatform(app.database, (db) =>
      sql<{ role: string; own: string; school: string | null }>`
      select current_user::text as role, session_user::text as own, nullif(current_setting('app.school_id', true), '') as school`.execute(
        db.tx,
      ),
    );
    expect(rows[0]?.role).toBe(rows[0]?.own);
    expect(rows[0]?.school).toBeNull();
  });

  test('transactions of several schools at the same time each see their own school', async () => {
    const found = await Promise.all(
      Array.from({ length: 12 }, (_, n) => {
        const { id } = n % 2 ? school : otherSchool;
        return inSchool(app.database, id, async (db) => {
          await sql`select 1`.execute(db.tx);
          const rows = await db.tx.selectFrom('pupils').select('school_id').distinct().execute();
          return rows.every(({ school_id }) => school_id === id) && rows.length === 1;
        });
      }),
    );
    expect(found.every(Boolean)).toBe(true);
  });

  test.each([0.5, Number.NaN, '1; drop table pupils' as unknown as number, undefined as unknown as number])(
    'work in a school is rejected for the ID %j',
    (id) => {
      expect(() => inSchool(app.database, id, async () => undefined)).toThrow(TypeError);
    },
  );

  test("the school's role sees no rows when no school is set", async () => {
    const look = inPlatform(app.database, async (db) => {
      await sql`set local role portal_school`.execute(db.tx);
      return db.tx.selectFrom('pupils').select('id').execute();
    });
    expect(await look).toEqual([]);
  });
});

import { type CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { enqueue } from '../jobs/queue.ts';
import { testApp } from '../testing/app.ts';
import type { BuiltSchool } from '../testing/builder.ts';
import { inPlatform, readInPlatform, withPlatform } from './platform.ts';
import type { PlatformDb } from './platform-db.ts';
import { inSchool, readInSchool, type SchoolDb, withSchool } from './school.ts';

const app = testApp();
const driver = pg.Client.prototype.query;
let school: BuiltSchool;
let otherSchool: BuiltSchool;
beforeAll(async () => {
  const built = await app.build.twoSchools();
  [school, otherSchool] = [built.school, built.otherSchool];
});

type Handle = SchoolDb | PlatformDb;

/** The IDs of those of the two schools that a handle can see. */
async function reached(db: Handle): Promise<number[]> {
  const rows = await db.tx
    .selectFrom('schools')
    .select('id')
    .where('id', 'in', [school.id, otherSchool.id])
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}
const roleOf = async (db: Handle) =>
  (await sql<{ role: string }>`select current_user::text as role`.execute(db.tx)).rows[0]?.role;

/** Every way of sending a statement through a handle. */
const uses: [string, (db: Handle, compiled: CompiledQuery) => Promise<unknown>][] = [
  ['a built query', (db) => db.tx.selectFrom('schools').select('id').execute()],
  ['plain SQL', (db) => sql`select 1`.execute(db.tx)],
  ['raw SQL', (db) => sql.raw('select 1').execute(db.tx)],
  ['a compiled query', (db, compiled) => db.tx.executeQuery(compiled)],
  ['a job', (db) => enqueue(db, 'mail', { id: 0 })],
];

const scopes: [string, (work: (db: Handle) => Promise<unknown>) => Promise<unknown>][] = [
  ['inSchool()', (work) => inSchool(app.database, school.id, work)],
  ['readInSchool()', (work) => readInSchool(app.database, school.id, work)],
  ['inPlatform()', (work) => inPlatform(app.database, work)],
  ['readInPlatform()', (work) => readInPlatform(app.database, work)],
  ['withSchool()', (work) => inPlatform(app.database, (db) => withSchool(db, school.id, work))],
  ['withPlatform()', (work) => inSchool(app.database, school.id, (db) => withPlatform(db, work))],
];

const CLOSED = 'This handle is closed';
const SUSPENDED = 'This handle is suspended';

describe('a handle whose scope has ended', () => {
  test.each(scopes)('a handle of %s throws at every use after its scope has ended', async (_name, open) => {
    let saved: Handle | undefined;
    let compiled: CompiledQuery | undefined;
    let query: { execute(): Promise<unknown> } | undefined;
    await open(async (db) => {
      saved = db;
      compiled = db.tx.selectFrom('schools').select('id').compile();
      query = db.tx.selectFrom('schools').select('id');
    });
    for (const [, use] of uses)
      await expect((async () => use(saved as Handle, compiled as CompiledQuery))()).rejects.toThrow(CLOSED);
    await expect(query?.execute()).rejects.toThrow(CLOSED);
    // A nested scope cannot open either.
    const inside =
      'schoolId' in (saved as Handle)
        ? withPlatform(saved as SchoolDb, reached)
        : withSchool(saved as PlatformDb, school.id, reached);
    await expect(inside).rejects.toThrow(CLOSED);
  });

  test.each(scopes)('a handle of %s throws after its work has failed', async (_name, open) => {
    let saved: Handle | undefined;
    const failed = open(async (db) => {
      saved = db;
      throw new Error('the work failed');
    });
    await expect(failed).rejects.toThrow('the work failed');
    await expect((async () => reached(saved as Handle))()).rejects.toThrow(CLOSED);
  });

  test('a handle throws in the transaction that continues after its scope', async () => {
    await inPlatform(app.database, async (db) => {
      let saved: SchoolDb | undefined;
      await withSchool(db, school.id, async (own) => void (saved = own));
      await expect((async () => reached(saved as SchoolDb))()).rejects.toThrow(CLOSED);
      expect(await reached(db)).toEqual([school.id, otherSchool.id]);
    });
  });

  test('a handle of a scope that was not awaited throws', async () => {
    let late: Promise<unknown> | undefined;
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    await inPlatform(app.database, async (db) => {
      await withSchool(db, school.id, async (own) => {
        late = withPlatform(own, async (platform) => {
          await begun;
          return reached(platform);
        });
        late.catch(() => undefined);
      });
      begin();
      await expect(late).rejects.toThrow(CLOSED);
    });
  });
});

describe('a handle while a nested scope is open', () => {
  test.each(uses)('a handle throws at %s while a nested scope is open', async (_what, use) => {
    await inSchool(app.database, school.id, async (db) => {
      const compiled = db.tx.selectFrom('schools').select('id').compile();
      await withPlatform(db, async (platform) => {
        await expect((async () => use(db, compiled))()).rejects.toThrow(SUSPENDED);
        expect(await reached(platform)).toEqual([school.id, otherSchool.id]);
      });
      await use(db, compiled);
    });
    await inPlatform(app.database, async (db) => {
      const compiled = db.tx.selectFrom('schools').select('id').compile();
      await withSchool(db, school.id, async (own) => {
        await expect((async () => use(db, compiled))()).rejects.toThrow(SUSPENDED);
        expect(await reached(own)).toEqual([school.id]);
      });
      await use(db, compiled);
    });
  });

  test('a handle cannot open two nested scopes at once', async () => {
    await inSchool(app.database, school.id, async (db) => {
      const [first, second] = await Promise.allSettled([withPlatform(db, reached), withPlatform(db, reached)]);
      expect(first).toMatchObject({ status: 'fulfilled', value: [school.id, otherSchool.id] });
      expect(second).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining(SUSPENDED) } });
      expect(await reached(db)).toEqual([school.id]);
    });
  });
});

describe('a role', () => {
  test('the role and school of a scope are restored after nested scopes of any depth', async () => {
    await inSchool(app.database, school.id, async (db) => {
      expect(await reached(db)).toEqual([school.id]);
      await withPlatform(db, async (platform) => {
        expect(await reached(platform)).toEqual([school.id, otherSchool.id]);
        await withSchool(platform, otherSchool.id, async (foreign) => {
          expect(await reached(foreign)).toEqual([otherSchool.id]);
          expect(await roleOf(foreign)).toBe('portal_school');
        });
        expect(await reached(platform)).toEqual([school.id, otherSchool.id]);
        expect(await roleOf(platform)).not.toBe('portal_school');
      });
      expect(await reached(db)).toEqual([school.id]);
      expect(await roleOf(db)).toBe('portal_school');
    });
  });

  test('the role of a scope is restored when the work of a nested scope throws', async () => {
    const fails = async () => {
      throw new Error('the work failed');
    };
    await inSchool(app.database, school.id, async (db) => {
      await expect(withPlatform(db, fails)).rejects.toThrow('the work failed');
      expect(await reached(db)).toEqual([school.id]);
    });
    await inPlatform(app.database, async (db) => {
      await expect(withSchool(db, school.id, fails)).rejects.toThrow('the work failed');
      expect(await reached(db)).toEqual([school.id, otherSchool.id]);
    });
  });

  test('an aborted transaction throws its first error, restores no role and saves nothing', async () => {
    let after: unknown;
    const aborted = inSchool(app.database, school.id, async (db) => {
      await db.tx.updateTable('schools').set({ name: 'Half Done' }).where('id', '=', school.id).execute();
      try {
        await withPlatform(db, (platform) => sql`select 1 / 0`.execute(platform.tx));
      } catch (error) {
        after = await reached(db).catch((late: unknown) => late);
        throw error;
      }
    });
    await expect(aborted).rejects.toMatchObject({ code: '22012' });
    expect(after).toBeInstanceOf(Error);
    const { name } = await readInPlatform(app.database, (db) =>
      db.tx.selectFrom('schools').select('name').where('id', '=', school.id).executeTakeFirstOrThrow(),
    );
    expect(name).toBe(school.name);
  });
});

describe('a read-only scope', () => {
  test.each(scopes.filter(([name]) => name.startsWith('read')))('a scope of %s writes nothing', async (_name, open) => {
    const write = open((db) =>
      db.tx.updateTable('schools').set({ name: 'Changed' }).where('id', '=', school.id).execute(),
    );
    await expect(write).rejects.toMatchObject({ code: '25006' });
  });

  test('a read-only scope runs several statements', async () => {
    const both = await readInSchool(app.database, school.id, async (db) => [await reached(db), await reached(db)]);
    expect(both).toEqual([[school.id], [school.id]]);
  });
});

describe('statements that are sent together', () => {
  test.each(scopes)('statements that are sent together in %s all have its role', async (_name, open) => {
    const roles = await open((db) => Promise.all([roleOf(db), roleOf(db), roleOf(db)]));
    expect(new Set(roles as string[]).size).toBe(1);
    expect(await open(roleOf)).toBe((roles as string[])[0]);
  });

  test('statements that are sent together throw the error of the failed one, and save nothing', async () => {
    const failed = inSchool(app.database, school.id, (db) =>
      Promise.all([
        db.tx.updateTable('schools').set({ name: 'Half Done' }).where('id', '=', school.id).execute(),
        sql`select 1 / 0`.execute(db.tx),
        reached(db),
      ]),
    );
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    const { name } = await readInPlatform(app.database, (db) =>
      db.tx.selectFrom('schools').select('name').where('id', '=', school.id).executeTakeFirstOrThrow(),
    );
    expect(name).toBe(school.name);
  });

  if (inject('template').kind === 'server')
    test('statements that are started together are sent before the first reply', async () => {
      const sent: string[] = [];
      const send = vi.spyOn(pg.Client.prototype, 'query');
      send.mockImplementation(function watched(this: pg.Client, ...args: unknown[]) {
        const { text } = args[0] as { text?: string };
        if (text === 'select $1::int') sent.push(text);
        return (driver as (...all: unknown[]) => unknown).apply(this, args);
      });
      try {
        const sentBy = await readInSchool(app.database, school.id, (db) =>
          Promise.all([1, 2, 3].map((n) => sql`select ${n}::int`.execute(db.tx).then(() => sent.length))),
        );
        expect(sentBy).toEqual([3, 3, 3]);
      } finally {
        send.mockRestore();
      }
    });
});

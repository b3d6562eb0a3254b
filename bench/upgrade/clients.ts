import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Builder, CONTACT, PASSWORD, type Person } from '#server/testing/builder.ts';
import { query } from '../harness/postgres.ts';
import { ROOT } from '../harness/program.ts';

const PUPILS = 20;
const ADMINS = 8;
/** More than the load orders in an upgrade. */
const BUYERS = 60;

/** The people whose requests one proxy forwards. */
export interface Clients {
  school: { id: number };
  pupils: readonly { token: string }[];
  admins: readonly Person[];
  /** A user who only logs in. */
  login: { id: number; email: string; password: string };
  /** Schools that order once each. */
  buyers: readonly { id: number; admin: Person }[];
  packageId: number;
  contact: object;
  /** The path of a script of the web app. */
  asset: string;
}

/** The smallest package that is larger than the package of a school of tests. */
const LARGER_PACKAGE = 6;

export async function makeClients(build: Builder): Promise<Clients> {
  const school = await build.school({ maxPupils: 5000 });
  const names = Array.from({ length: PUPILS }, (_, index) => `Pupil ${'abcdefghijklmnopqrst'.charAt(index)}`);
  const admins = await Promise.all(Array.from({ length: ADMINS }, () => build.staff(school, 'admin')));
  const login = await build.staff(school, 'teacher');
  const buyers: { id: number; admin: Person }[] = [];
  for (let n = 0; n < BUYERS; n += 1) buyers.push(await build.emptySchool());
  const script = readdirSync(join(ROOT, 'dist/web/assets')).find((name) => name.endsWith('.js'));
  return {
    school,
    pupils: await build.pupils(school, school.ownClass.id, names),
    admins,
    login: { ...login, password: PASSWORD },
    buyers,
    packageId: LARGER_PACKAGE,
    contact: CONTACT,
    asset: `/assets/${script}`,
  };
}

/** How often the requests of these clients had each effect. */
export async function countEffects(url: string, { school, login, buyers }: Clients): Promise<Record<string, number>> {
  const count = async (rows: string, value: unknown): Promise<number> =>
    Number((await query<{ count: string }>(url, `select count(*) from ${rows}`, [value]))[0]?.count);
  const ids = buyers.map(({ id }) => id);
  return {
    'reading session': await count('reading_sessions where school_id = $1', school.id),
    // One for each import and upload.
    pupils: await count("pupils where school_id = $1 and name like 'Ada Lovelace%'", school.id),
    // Without the session with which the user was made.
    login: (await count('sessions where user_id = $1', login.id)) - 1,
    order: await count('invoices where school_id = any ($1)', ids),
  };
}

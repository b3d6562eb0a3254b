import { randomInt, randomUUID } from 'node:crypto';
import type { IntakeSession } from '#contract/calls/reading-app.ts';
import type { AssignableRole, Role } from '#contract/permissions.ts';
import { PROGRAM_SCOPES, PROGRAM_TOKEN_PREFIX, type ProgramScope } from '#contract/programs.ts';
import { NO_ACTOR } from '../audit/audit-log.queries.ts';
import { inPlatform } from '../database/platform.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import { inSchool, withSchool } from '../database/school.ts';
import { insertUser, lockUser } from '../features/accounts/access/access.public.ts';
import { addOperator } from '../features/company/operators/operators.public.ts';
import { insertPasskey } from '../auth/login-factors.queries.ts';
import { hashPassword } from '../auth/password-hashing.ts';
import { assignBooks } from '../features/books/books/books.public.ts';
import { insertClass } from '../features/school/classes/classes.public.ts';
import { createPupilsWithUsernames } from '../features/records/pupil-import/pupil-import.public.ts';
import { ingestSessions, parseSessions } from '../features/reading/reading-app/reading-app.public.ts';
import { writeInvoice } from '../features/billing/invoices/invoices.public.ts';
import { packageLine } from '../features/billing/purchases/purchases.public.ts';
import { dayOf, findSubscription, insertSubscription } from '../features/billing/subscriptions/subscriptions.public.ts';
import { insertSchool, insertStaff, joinUserSchool } from '../features/school/school/school.public.ts';
import { insertProgram } from '../features/school/programs/programs.public.ts';
import { insertSupplyTeacher, saveCover } from '../features/school/covers/covers.public.ts';
import { insertInvite } from '../features/school/teachers/teachers.public.ts';
import { storeInviteToken, createToken, type TokenKind } from '../auth/one-time-tokens.queries.ts';
import { DAY_MS } from '../clock.ts';
import type { Services } from '../context.ts';
import { createSession } from '../auth/sessions.queries.ts';
import { hashToken, newToken } from '../auth/tokens.ts';

/** A passkey that no device has. */
const passkeyOf = (credentialId: string) => ({
  name: 'Laptop',
  credentialId,
  publicKey: Buffer.alloc(0),
  signCount: 0,
});

/** The password of every account in tests. */
export const PASSWORD = 'reading-1';

/** The address that receives invoices in tests. */
export const CONTACT = {
  type: 'billing' as const,
  contact_name: 'Pat Office',
  job_role: null,
  address_line_1: '1 Mill Lane',
  address_line_2: null,
  address_line_3: null,
  address_line_4: null,
  postcode: 'SW1A 1AA',
  country_code: 'GBR',
  telephone: '+442079460000',
  email: 'finance@test.example',
};

export interface Person {
  id: number;
  email: string;
  token: string;
}
interface BuiltPupil {
  id: number;
  name: string;
  username: string;
  token: string;
}
interface BuiltClass {
  id: number;
  name: string;
  pupils: BuiltPupil[];
}

/**
 * Builds a school: an admin, a teacher who manages the first class, two classes of pupils, one pupil without a class.
 */
export interface BuiltSchool {
  id: number;
  name: string;
  admin: Person;
  teacher: Person;
  /** Managed by the teacher. */
  ownClass: BuiltClass;
  /** Without a teacher. */
  otherClass: BuiltClass;
  unplaced: BuiltPupil;
}

interface SchoolPlan {
  name?: string;
  ownPupils?: readonly string[];
  otherPupils?: readonly string[];
  maxPupils?: number;
  /** IANA name; Europe/London when absent. */
  timeZone?: string;
}

interface ProgramPlan {
  name?: string;
  scopes?: readonly ProgramScope[];
  classIds?: readonly number[];
  /** 90 when absent. */
  days?: number;
}

export interface Builder {
  school(plan?: SchoolPlan): Promise<BuiltSchool>;
  twoSchools(): Promise<{ school: BuiltSchool; otherSchool: BuiltSchool }>;
  /** An account without a school. */
  person(userType: 'enterprise' | 'standard'): Promise<Person>;
  /** Sends reading sessions as the reading product does; missing values are filled in. */
  reading(school: BuiltSchool, pupilId: number, sessions: readonly Partial<IntakeSession>[]): Promise<string[]>;
  assign(school: BuiltSchool, to: { classId: number } | { pupilId: number }, bookIds: readonly number[]): Promise<void>;
  /** Adds pupils to a school, in a class or without one. */
  pupils(school: { id: number }, classId: number | null, names: readonly string[]): Promise<BuiltPupil[]>;
  /** Adds a class, by default without a teacher. */
  newClass(school: BuiltSchool, name: string, managerId?: number): Promise<number>;
  /** Moves a pupil into a class, or out of every class. */
  move(school: BuiltSchool, pupilId: number, classId: number | null): Promise<void>;
  /** Builds a school with its subscription and one admin: no teacher, class or pupil. */
  emptySchool(): Promise<{ id: number; name: string; admin: Person }>;
  /** Creates an invite to a school without sending its mail; `link` is the end of its link. */
  invite(school: { id: number; admin: Person }, email?: string): Promise<{ id: string; link: string; email: string }>;
  /** Creates a one-time link to an account. `target`: the address to confirm, or the session to end. */
  link(kind: TokenKind, userId: number, target?: string): Promise<string>;
  /** Makes an account an operator's, with a passkey. */
  operator(): Promise<Person>;
  /** Issues an open invoice for the yearly price of the school's subscription, today. */
  invoice(school: { id: number }, price?: number): Promise<{ id: number; number: string; token: string }>;
  /** Adds a member of staff to a school. */
  staff(school: { id: number }, role: AssignableRole): Promise<Person>;
  /** Adds a program, by default with every scope in the whole school; its admin answers for it. */
  program(school: { id: number; admin: { id: number } }, plan?: ProgramPlan): Promise<{ id: number; token: string }>;
  /** Adds a supply teacher who covers a class for a day, and is logged in. */
  supplyTeacher(school: { id: number; admin: { id: number } }, classId: number): Promise<Person>;
  /** Adds a person to the staff of another school. Their sessions stay where they are. */
  join(person: { id: number }, school: { id: number }, role: Role): Promise<void>;
  /** Gives a person a passkey that no device has. */
  passkey(person: { id: number }): Promise<void>;
}

/** A reading session as the reading product sends it; missing values are filled in. */
export const makeSession = (given: Partial<IntakeSession> & Pick<IntakeSession, 'started_at'>): IntakeSession => ({
  id: randomUUID(),
  book_id: 101,
  reading_time: 120,
  last_page: 3,
  words_attempted: 60,
  words_correct: 54,
  has_completed_book: false,
  heatmap: [10, 60, 0],
  played_words: ['cat'],
  skipped_words: ['mat'],
  ...given,
});

export function makeBuilder(services: Services): Builder {
  const { database, clock } = services;
  let passwordHash: Promise<string> | undefined;
  const hash = () => (passwordHash ??= hashPassword(PASSWORD, services.config.hashCost));
  // Digits, so that a search for a name never matches a generated username.
  const unique = () => String(randomInt(1e11, 1e12));

  async function joinStaff(db: PlatformDb, userId: number, schoolId: number, role: Role) {
    await joinUserSchool(db, await lockUser(db, userId), schoolId, clock.now());
    await withSchool(db, schoolId, (own) => insertStaff(own, userId, role, clock.now()));
  }

  async function person(userType: 'enterprise' | 'standard', schoolId: number | null, role?: Role): Promise<Person> {
    const email = `${role ?? 'person'}-${unique()}@test.example`;
    const password = await hash();
    const token = newToken();
    const id = await inPlatform(database, async (db) => {
      const names = { firstName: 'Morgan', lastName: role === 'admin' ? 'Admin' : 'Teacher' };
      const account = { email, ...names, passwordHash: password, userType, emailConfirmedAt: clock.now() };
      const userId = await insertUser(db, account, clock.now());
      if (schoolId !== null && role) await joinStaff(db, userId, schoolId, role);
      await createSession(db, { tokenHash: hashToken(token), userId, schoolId }, clock.now());
      return userId;
    });
    return { id, email, token };
  }

  async function pupils(schoolId: number, classId: number | null, names: readonly string[]): Promise<BuiltPupil[]> {
    const password = await hash();
    const rows = names.map((name) => ({ name, username: `pupil-${unique()}`, passwordHash: password, classId }));
    const ids = await inSchool(database, schoolId, (db) => createPupilsWithUsernames(db, rows, clock.now()));
    return Promise.all(
      rows.map(async ({ name, username }, index) => {
        const id = ids[index] as number;
        const token = newToken();
        await inPlatform(database, (db) =>
          createSession(db, { tokenHash: hashToken(token), pupilId: id, schoolId }, clock.now()),
        );
        return { id, name, username, token };
      }),
    );
  }

  async function found(plan: SchoolPlan = {}): Promise<{ id: number; name: string; admin: Person }> {
    const name = plan.name ?? `School ${unique()}`;
    const now = clock.now();
    const id = await inPlatform(database, async (db) => {
      const details = {
        name,
        urn: null,
        terms_accepted_at: now,
        created_at: now,
        ...(plan.timeZone ? { time_zone: plan.timeZone } : {}),
      };
      const schoolId = await insertSchool(db, services.config, details, now);
      const subscription = {
        package_id: 4,
        title: 'Key stage',
        replaces_id: null,
        is_trial: false,
        max_readers: plan.maxPupils ?? 120,
        payment_provider: null,
        payment_amount_pence: 48_000,
        price_per_year_pence: 48_000,
        next_period: null,
        starts_at: now,
        expires_at: new Date(now.getTime() + 365 * 86_400_000),
      };
      await withSchool(db, schoolId, (own) => insertSubscription(own, subscription, now));
      return schoolId;
    });
    return { id, name, admin: await person('enterprise', id, 'admin') };
  }

  async function school(plan: SchoolPlan = {}): Promise<BuiltSchool> {
    const { id, name, admin } = await found(plan);
    const now = clock.now();
    const teacher = await person('enterprise', id, 'teacher');
    const [ownId, otherId] = await inSchool(database, id, async (db) => [
      await insertClass(db, 'Year 3 Wrens', teacher.id, now),
      await insertClass(db, 'Year 5 Swifts', null, now),
    ]);
    const own = await pupils(id, ownId, plan.ownPupils ?? ['Ada Baker', 'Zoë Łukasik']);
    const other = await pupils(id, otherId, plan.otherPupils ?? ["Finn O'Hara"]);
    const [unplaced] = await pupils(id, null, ['Mina Rahman']);
    return {
      id,
      name,
      admin,
      teacher,
      ownClass: { id: ownId, name: 'Year 3 Wrens', pupils: own },
      otherClass: { id: otherId, name: 'Year 5 Swifts', pupils: other },
      unplaced: unplaced as BuiltPupil,
    };
  }

  return {
    school,
    twoSchools: async () => ({ school: await school(), otherSchool: await school() }),
    person: (userType) => person(userType, null),
    emptySchool: () => found(),
    async invite(built, email = `invited-${unique()}@test.example`) {
      const invite = await inSchool(database, built.id, (db) =>
        insertInvite(db, { email, name: 'Robin Newcomer', invitedBy: built.admin.id }, clock.now()),
      );
      if (!invite) throw new Error(`${email} has an invite already.`);
      const { id, issue } = invite;
      const link = randomUUID();
      await inPlatform(database, (db) => storeInviteToken(db, { kind: 'invite', inviteId: id, issue }, link));
      return { id, link, email };
    },
    link: (kind, userId, target) => {
      const about = target === undefined ? {} : kind === 'end_session' ? { sessionId: target } : { email: target };
      return inPlatform(database, (db) =>
        createToken(db, { kind, userId, schoolId: null, lasts: 3_600_000, ...about }, clock.now()),
      );
    },
    join: ({ id }, { id: schoolId }, role) => inPlatform(database, (db) => joinStaff(db, id, schoolId, role)),
    passkey: ({ id: userId }) =>
      inPlatform(database, async (db) => {
        await insertPasskey(db, { ...passkeyOf(unique()), userId }, clock.now());
      }),
    async operator() {
      const someone = await person('enterprise', null);
      await inPlatform(database, async (db) => {
        await addOperator(db, someone.id, clock.now());
        // Without a second factor an operator has no session.
        await insertPasskey(db, { ...passkeyOf(unique()), userId: someone.id }, clock.now());
      });
      return someone;
    },
    invoice: (built, price = 48_000) =>
      inSchool(database, built.id, async (db) => {
        const subscription = await findSubscription(db);
        if (!subscription) throw new Error('The school has no subscription.');
        const period = { from: '2026-11-18', to: '2027-11-17' };
        const { config } = services;
        const lines = [packageLine(subscription, 'new', price, CONTACT, config, dayOf(clock.now()))];
        const purchase = { subscriptionId: subscription.id, lines, period, contact: CONTACT, poNumber: null };
        return writeInvoice(db, NO_ACTOR, { name: 'A school' }, purchase, config, clock.now());
      }),
    staff: (built, role) => person('enterprise', built.id, role),
    async program({ id: schoolId, admin }, { name = 'Warehouse', scopes = PROGRAM_SCOPES, classIds, days = 90 } = {}) {
      const token = `${PROGRAM_TOKEN_PREFIX}${newToken()}`;
      const now = clock.now();
      const program = {
        name,
        scopes: [...scopes],
        class_ids: classIds ? [...classIds] : null,
        made_by: admin.id,
        made_at: now,
        expires_at: new Date(now.getTime() + days * DAY_MS),
      };
      const id = await inSchool(database, schoolId, (db) => insertProgram(db, program, hashToken(token)));
      return { id, token };
    },
    async supplyTeacher({ id: schoolId, admin }, classId) {
      const now = clock.now();
      const id = await inSchool(database, schoolId, async (db) => {
        const userId = await insertSupplyTeacher(db, { first_name: 'Sal', last_name: 'Supply' }, now);
        const ends_at = new Date(now.getTime() + DAY_MS);
        await saveCover(db, { class_id: classId, user_id: userId, given_by: admin.id, ends_at }, now);
        return userId;
      });
      const token = newToken();
      await inPlatform(database, (db) =>
        createSession(db, { tokenHash: hashToken(token), userId: id, schoolId, lasts: DAY_MS }, now),
      );
      return { id, email: '', token };
    },
    pupils: (built, classId, names) => pupils(built.id, classId, names),
    newClass: (built, name, managerId) =>
      inSchool(database, built.id, (db) => insertClass(db, name, managerId ?? null, clock.now())),
    move: (built, pupilId, classId) =>
      inSchool(database, built.id, async (db) => {
        await db.tx
          .updateTable('pupils')
          .set({ class_id: classId })
          .where('school_id', '=', db.schoolId)
          .where('id', '=', pupilId)
          .execute();
      }),
    async reading(built, pupilId, sessions) {
      const full = sessions.map((session) => makeSession({ started_at: clock.now().toISOString(), ...session }));
      const parsed = await parseSessions(full);
      const intake = await inSchool(database, built.id, (db) => ingestSessions(db, pupilId, parsed, clock.now()));
      if (intake.rejected.length > 0) throw new Error(JSON.stringify(intake.rejected));
      return full.map(({ id }) => id);
    },
    async assign(built, to, bookIds) {
      await inSchool(database, built.id, (db) =>
        assignBooks(
          db,
          'classId' in to ? { kind: 'class', id: to.classId } : { kind: 'pupil', id: to.pupilId },
          bookIds,
          null,
          clock.now(),
        ),
      );
    },
  };
}

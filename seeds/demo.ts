import { BATCH_SIZE } from '#contract/calls/reading-app.ts';
import { yearGroupOfClass } from '#contract/year-group.ts';
import { NO_ACTOR } from '#server/audit/audit-log.queries.ts';
import { inPlatform } from '#server/database/platform.ts';
import { listReadingLevels, updateReadingLevel } from '#server/features/books/reading-levels/reading-levels.public.ts';
import type { PlatformDb } from '#server/database/platform-db.ts';
import { type SchoolDb, withSchool } from '#server/database/school.ts';
import { findLogin, insertUser, lockUser } from '#server/features/accounts/access/access.public.ts';
import { hashPassword } from '#server/auth/password-hashing.ts';
import { assignBooks } from '#server/features/books/books/books.public.ts';
import { readCatalogue } from '#server/features/books/catalogue/catalogue.public.ts';
import { insertClass } from '#server/features/school/classes/classes.public.ts';
import { createPupilsWithUsernames } from '#server/features/records/pupil-import/pupil-import.public.ts';
import { updateYearGroups } from '#server/features/school/pupils/pupils.public.ts';
import { ingestSessions, parseSessions } from '#server/features/reading/reading-app/reading-app.public.ts';
import {
  findBillingContact,
  saveContact,
  settleInvoice,
  writeInvoice,
} from '#server/features/billing/invoices/invoices.public.ts';
import { packageLine, quotePrice } from '#server/features/billing/purchases/purchases.public.ts';
import { endOfDay, insertSubscription } from '#server/features/billing/subscriptions/subscriptions.public.ts';
import { insertSchool, insertStaff, joinUserSchool } from '#server/features/school/school/school.public.ts';
import type { Services } from '#server/context.ts';
import { addDays, dayInEngland, inEngland, monthsBefore } from './calendar.ts';
import { askReserved, listTaken, lockDemo } from './demo.queries.ts';
import { type FilledSchool, fillSchool, SEED } from './plan.ts';
import { demoSchools, type SchoolPlan } from './schools.ts';
import { type BookText, toBookText } from './reading-session.ts';

const PASSWORD = 'reading-1';

const LOGINS = [
  `Demonstration logins, password ${PASSWORD} for each:`,
  '  head@willowbank.example     admin of Willowbank Primary School',
  '  teacher@willowbank.example  teacher of Year 4 Kingfishers there',
  '  head@otherschool.example    admin of Otterbrook Primary School',
  '  finance@willowbank.example  business manager, an admin of both schools',
  '  demo-pupil-1, -2, -3 …      pupils, in the reading app',
  '',
  'Start here: log in as the teacher and open a pupil under "Who needs me". The page says why the pupil needs help',
  'and what to do, such as giving them easier books. To see the class read while you watch: npm run simulate',
];

/** All logins of a school. If any of them exists, the school counts as loaded. */
function loginsOf(plan: SchoolPlan): { emails: string[]; usernames: string[] } {
  const pupils = plan.unplaced.length + plan.classes.reduce((sum, group) => sum + group.pupils.length, 0);
  return {
    emails: plan.staff.map(({ email }) => email),
    usernames: Array.from({ length: pupils }, (_, index) => `demo-pupil-${plan.firstPupil + index}`),
  };
}

/**
 * Loads the missing demonstration schools, with reading up to now. Each is loaded in one transaction, so a killed start
 * leaves no partial school.
 * @param say receives a line for each stage
 * @returns lines that list the demonstration logins
 */
export async function loadDemo(services: Services, say: (line: string) => void, seed = SEED): Promise<string[]> {
  const all = demoSchools.map(loginsOf);
  const taken = await askReserved(
    services.database,
    all.flatMap(({ emails }) => emails),
    all.flatMap(({ usernames }) => usernames),
  );
  const isAbsent = (plan: SchoolPlan) =>
    Object.values(loginsOf(plan))
      .flat()
      .every((login) => !taken.has(login));
  const absent = demoSchools.filter(isAbsent);
  if (absent.length === 0) return LOGINS;

  say('First start: loading the demonstration schools …');
  const books = readCatalogue().books.map(toBookText);
  const passwordHash = await hashPassword(PASSWORD, services.config.hashCost);
  await inPlatform(services.database, enterLevelAges);
  for (const plan of absent) {
    const loaded = await loadSchool(services, plan, books, passwordHash, seed);
    if (loaded)
      say(`  ${plan.name}: ${loaded.pupils} pupils, ${loaded.sessions.toLocaleString('en-GB')} reading sessions`);
  }
  return LOGINS;
}

/** Enters the ages of the levels, as `levelsOf` gives books to year groups, unless an operator has entered some. */
async function enterLevelAges(db: PlatformDb): Promise<void> {
  const levels = await listReadingLevels(db);
  if (levels.some(({ from_age: age }) => age !== null)) return;
  for (const level of levels)
    await updateReadingLevel(db, { ...level, from_age: level.level + 3, to_age: level.level + 4 });
}

async function loadSchool(
  services: Services,
  plan: SchoolPlan,
  books: readonly BookText[],
  passwordHash: string,
  seed: string,
) {
  const now = services.clock.now();
  const filled = fillSchool(plan, books, dayInEngland(now), seed);
  return inPlatform(services.database, async (db) => {
    await lockDemo(db);
    const { emails, usernames } = loginsOf(plan);
    if ((await listTaken(db, emails, usernames)).size > 0) return undefined;
    const registered = inEngland(filled.founded, 9 * 60);
    const { schoolId, staff } = await registerPlanned(db, services, plan, registered, passwordHash);
    return withSchool(db, schoolId, async (school) => {
      await equipSchool(school, plan, staff, registered, services);
      return fillWithReading(school, filled, staff, passwordHash, now);
    });
  });
}

/** The school itself and the accounts of its staff. */
async function registerPlanned(
  db: PlatformDb,
  { config, clock }: Services,
  plan: SchoolPlan,
  registered: Date,
  passwordHash: string,
) {
  const school = {
    name: plan.name,
    urn: plan.urn,
    can_enable_recordings: true,
    terms_accepted_at: registered,
    created_at: registered,
  };
  const schoolId = await insertSchool(db, config, school, clock.now());
  const staff: number[] = [];
  for (const { email, firstName, lastName } of plan.staff)
    staff.push(
      await insertUser(
        db,
        { email, firstName, lastName, passwordHash, userType: 'enterprise', emailConfirmedAt: registered },
        registered,
      ),
    );
  const shared = plan.sharedAdmin === undefined ? undefined : await findLogin(db, plan.sharedAdmin);
  for (const id of [...staff, ...(shared ? [shared.id] : [])])
    await joinUserSchool(db, await lockUser(db, id), schoolId, registered);
  if (shared) await withSchool(db, schoolId, (own) => insertStaff(own, shared.id, 'admin', registered));
  return { schoolId, staff };
}

/** Staff, contacts, and the subscription with its invoice, paid a week after it was issued. */
async function equipSchool(
  db: SchoolDb,
  plan: SchoolPlan,
  staff: readonly number[],
  registered: Date,
  { clock, config }: Services,
) {
  for (const [index, { role }] of plan.staff.entries()) await insertStaff(db, staff[index] as number, role, registered);
  for (const contact of plan.contacts)
    await saveContact(db, { address_line_3: null, address_line_4: null, country_code: 'GBR', ...contact });
  const { packageId, title, isTrial, maxReaders, pricePence, provider, monthsGone, monthsLeft } = plan.subscription;
  const today = dayInEngland(clock.now());
  const starts = inEngland(monthsBefore(today, monthsGone), 9 * 60);
  const last = addDays(monthsBefore(dayInEngland(starts), -monthsGone - monthsLeft), -1);
  const subscription = {
    package_id: packageId,
    title,
    replaces_id: null,
    is_trial: isTrial,
    max_readers: maxReaders,
    payment_provider: provider,
    payment_amount_pence: pricePence,
    price_per_year_pence: pricePence,
    next_period: null,
    starts_at: starts,
    expires_at: endOfDay(last),
  };
  const subscriptionId = await insertSubscription(db, subscription, starts);
  const contact = await findBillingContact(db);
  if (pricePence === 0 || !contact) return;
  const me = { userId: staff[0] ?? null, impersonatorId: null };
  const period = { from: dayInEngland(starts), to: last };
  const lines = [packageLine({ title, max_readers: maxReaders }, 'new', pricePence, contact, config, period.from)];
  const dueYearly = quotePrice(
    { price_pence: pricePence },
    { price: pricePence, period },
    lines[0]?.vat_rate ?? 0,
  ).due_yearly;
  const purchase = { subscriptionId, lines, period, dueYearly, contact, poNumber: null };
  const invoice = await writeInvoice(db, me, plan, purchase, config, starts);
  const paidAt = new Date(starts.getTime() + 7 * 86_400_000);
  await settleInvoice(db, NO_ACTOR, invoice, { paidAt, by: 'bank_transfer', reference: 'BACS' }, paidAt);
}

/** Classes, pupils, assigned books, and reading sessions submitted as the reading app does. */
async function fillWithReading(
  db: SchoolDb,
  filled: FilledSchool,
  staff: readonly number[],
  passwordHash: string,
  now: Date,
) {
  const loaded = { pupils: 0, sessions: 0 };
  const morning = (day: string) => inEngland(day, 8 * 60);
  for (const group of filled.groups) {
    const manager = group.manager === undefined ? null : (staff[group.manager] ?? null);
    const classId =
      group.name === undefined ? null : await insertClass(db, group.name, manager, morning(filled.classesSince));
    if (classId !== null)
      for (const { bookIds, day } of group.assignments)
        await assignBooks(db, { kind: 'class', id: classId }, bookIds, manager, morning(day));
    const rows = group.pupils.map(({ name, username }) => ({ name, username, passwordHash, classId }));
    const ids = await createPupilsWithUsernames(db, rows, morning(filled.founded));
    const yearGroup = yearGroupOfClass(group.name ?? '');
    await updateYearGroups(
      db,
      ids.map((pupilId) => ({ pupilId, yearGroup })),
      dayInEngland(now),
    );
    for (const [index, pupil] of group.pupils.entries()) {
      const pupilId = ids[index] as number;
      if (pupil.ownBooks.bookIds.length > 0)
        await assignBooks(
          db,
          { kind: 'pupil', id: pupilId },
          pupil.ownBooks.bookIds,
          manager ?? staff[0] ?? null,
          morning(pupil.ownBooks.day),
        );
      loaded.pupils += 1;
      loaded.sessions += await handIn(db, pupilId, pupil.sessions, now);
    }
  }
  return loaded;
}

async function handIn(
  db: SchoolDb,
  pupilId: number,
  sessions: FilledSchool['groups'][number]['pupils'][number]['sessions'],
  now: Date,
): Promise<number> {
  // The plan runs to the end of today; sessions that end later are left out.
  const over = sessions.filter(
    ({ started_at, reading_time }) => Date.parse(started_at) + reading_time * 1000 <= now.getTime(),
  );
  let accepted = 0;
  for (let from = 0; from < over.length; from += BATCH_SIZE) {
    const intake = await ingestSessions(db, pupilId, await parseSessions(over.slice(from, from + BATCH_SIZE)), now);
    if (intake.rejected.length > 0)
      throw new Error(`A demonstration session was rejected: ${intake.rejected[0]?.error}`);
    accepted += intake.accepted;
  }
  return accepted;
}

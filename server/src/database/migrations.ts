import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import * as initialSchema from './migrations/0001_initial_schema.ts';
import * as loginCards from './migrations/0002_login_cards.ts';
import * as oneTimeLinks from './migrations/0003_one_time_links.ts';
import * as weeklyDigest from './migrations/0004_weekly_digest.ts';
import * as unloggedRateLimits from './migrations/0005_unlogged_rate_limits.ts';
import * as sealedSecrets from './migrations/0008_sealed_secrets.ts';
import * as auditWithoutPupilNames from './migrations/0009_audit_without_pupil_names.ts';
import * as schoolFeatures from './migrations/0010_school_features.ts';
import * as bookCompletions from './migrations/0011_book_completions.ts';
import * as schoolReadingDays from './migrations/0012_school_reading_days.ts';
import * as termsAcceptances from './migrations/0020_terms_acceptances.ts';
import * as emailConfirmation from './migrations/0021_email_confirmation.ts';
import * as inviteLinkHashes from './migrations/0022_invite_link_hashes.ts';
import * as library from './migrations/0030_library.ts';
import * as billing from './migrations/0040_billing.ts';
import * as readingNeeds from './migrations/0050_reading_needs.ts';
import * as termDates from './migrations/0051_term_dates.ts';
import * as pupilNotes from './migrations/0052_pupil_notes.ts';
import * as archivedPupils from './migrations/0055_archived_pupils.ts';
import * as yearEnds from './migrations/0056_year_ends.ts';
import * as invitedWithRoleAndClasses from './migrations/0057_invited_with_role_and_classes.ts';
import * as unsentMails from './migrations/0060_unsent_mails.ts';
import * as policiesWithoutASchool from './migrations/0061_policies_without_a_school.ts';
import * as libraryPageIds from './migrations/0070_library_page_ids.ts';
import * as classTeachers from './migrations/0075_class_teachers.ts';
import * as collectionCounts from './migrations/0076_collection_counts.ts';
import * as completionsByBook from './migrations/0077_completions_by_book.ts';
import * as subscriptionPeriods from './migrations/0080_subscription_periods.ts';
import * as paymentReports from './migrations/0085_payment_reports.ts';
import * as cleanupIndexes from './migrations/0093_cleanup_indexes.ts';
import { applyRowLevelSecurity } from './row-level-security.ts';
import type { Tables } from './tables.ts';

const migrations: Record<string, Migration> = {
  '0001_initial_schema': initialSchema,
  '0002_login_cards': loginCards,
  '0003_one_time_links': oneTimeLinks,
  '0004_weekly_digest': weeklyDigest,
  '0005_unlogged_rate_limits': unloggedRateLimits,
  '0008_sealed_secrets': sealedSecrets,
  '0009_audit_without_pupil_names': auditWithoutPupilNames,
  '0010_school_features': schoolFeatures,
  '0011_book_completions': bookCompletions,
  '0012_school_reading_days': schoolReadingDays,
  '0020_terms_acceptances': termsAcceptances,
  '0021_email_confirmation': emailConfirmation,
  '0022_invite_link_hashes': inviteLinkHashes,
  '0030_library': library,
  '0040_billing': billing,
  '0050_reading_needs': readingNeeds,
  '0051_term_dates': termDates,
  '0052_pupil_notes': pupilNotes,
  '0055_archived_pupils': archivedPupils,
  '0056_year_ends': yearEnds,
  '0057_invited_with_role_and_classes': invitedWithRoleAndClasses,
  '0060_unsent_mails': unsentMails,
  '0061_policies_without_a_school': policiesWithoutASchool,
  '0070_library_page_ids': libraryPageIds,
  '0075_class_teachers': classTeachers,
  '0076_collection_counts': collectionCounts,
  '0077_completions_by_book': completionsByBook,
  '0080_subscription_periods': subscriptionPeriods,
  '0085_payment_reports': paymentReports,
  '0093_cleanup_indexes': cleanupIndexes,
};

/** Names that migrations had when they first ran on some databases. */
const FORMER_NAMES: Record<string, string> = {
  '0001_the_first_tables': '0001_initial_schema',
  '0005_counters_without_a_log': '0005_unlogged_rate_limits',
};

/** The last migration of the version that was released before this one: both serve side by side during an upgrade. */
export const RELEASED_SCHEMA = '0070_library_page_ids';

/** Their names, in the order in which they run. */
export const migrationNames: readonly string[] = Object.keys(migrations);

/** Whether this version knows a migration, which the database of a newer one may have. */
export const isKnownMigration = (name: string): boolean => (FORMER_NAMES[name] ?? name) in migrations;

/** Writes the present names into the migrator's own record, where it has former ones. */
async function renameMigrations(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql`select 1 from pg_class where oid = to_regclass('kysely_migration')`.execute(db);
  if (rows.length === 0) return;
  for (const [former, name] of Object.entries(FORMER_NAMES))
    await sql`update kysely_migration set name = ${name} where name = ${former}`.execute(db);
}

/**
 * Runs what has not run yet, then protects the tables. Throws the migration's own error, and when the database is ahead of this version.
 * @param until the last migration that runs, for tests of upgrades, where the tables stay as they are; all when absent
 */
export async function migrate(db: Kysely<Tables>, until?: string): Promise<void> {
  await renameMigrations(db);
  // A version may bring a migration whose number lies before one that ran already: docs/decisions/0069-releases-side-by-side.md
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    allowUnorderedMigrations: true,
  });
  const { error, results } = await (until ? migrator.migrateTo(until) : migrator.migrateToLatest());
  if (error instanceof Error && error.message.includes('previously executed migration'))
    throw new Error(
      'The database was used by a newer version of the portal. Start that version or a later one, or name another database.',
      { cause: error },
    );
  if (error) throw error;
  if (until) return;
  const changed = (results?.length ?? 0) > 0;
  if (changed || !(await isProtected(db)))
    await db.transaction().execute(applyRowLevelSecurity as (tx: unknown) => Promise<void>);
}

/** Whether a start would change the schema. */
export async function needsMigration(db: Kysely<Tables>): Promise<boolean> {
  const { rows: known } = await sql`select 1 from pg_class where oid = to_regclass('kysely_migration')`.execute(db);
  if (known.length === 0) return true;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const done = new Set(rows.map(({ name }) => FORMER_NAMES[name] ?? name));
  return migrationNames.some((name) => !done.has(name));
}

async function isProtected(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'public' and relname = 'schools' and relforcerowsecurity`.execute(db);
  return rows.length > 0;
}

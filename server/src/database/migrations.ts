import { type Kysely, sql } from 'kysely';
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
import * as unmatchedPayments from './migrations/0081_unmatched_payments.ts';
import * as paymentReports from './migrations/0085_payment_reports.ts';
import * as cleanupIndexes from './migrations/0093_cleanup_indexes.ts';
import * as needResponses from './migrations/0130_need_responses.ts';
import * as auditLogByActor from './migrations/0135_audit_log_by_actor.ts';
import * as auditChains from './migrations/0161_audit_chains.ts';
import * as subjectRequests from './migrations/0170_subject_requests.ts';
import * as recordViews from './migrations/0175_record_views.ts';
import * as dailyViews from './migrations/0215_daily_views.ts';
import * as schoolClosings from './migrations/0176_school_closings.ts';
import * as erasuresOfSchools from './migrations/0177_erasures_of_schools.ts';
import * as schoolRecords from './migrations/0180_school_records.ts';
import * as rosterConnections from './migrations/0185_roster_connections.ts';
import * as loginEvents from './migrations/0196_login_events.ts';
import * as knownDevices from './migrations/0201_known_devices.ts';
import * as importDigests from './migrations/0197_import_digests.ts';
import * as emailChanges from './migrations/0200_email_changes.ts';
import * as originsOfSessions from './migrations/0202_origins_of_sessions.ts';
import * as auditHeads from './migrations/0217_audit_heads.ts';
import * as sessionOriginIndexes from './migrations/0202_session_origin_indexes.ts';
import * as secretKeys from './migrations/0221_secret_keys.ts';
import * as keysOfRecoveryCodes from './migrations/0222_keys_of_recovery_codes.ts';
import * as peopleOfMails from './migrations/0209_people_of_mails.ts';
import * as acceptedInvites from './migrations/0210_accepted_invites.ts';
import * as indexesForErasure from './migrations/0211_indexes_for_erasure.ts';
import * as formerStaff from './migrations/0206_former_staff.ts';
import * as formerStaffIndexes from './migrations/0207_former_staff_indexes.ts';
import * as rightsAsCases from './migrations/0204_rights_as_cases.ts';
import * as requestsByRequester from './migrations/0205_requests_by_requester.ts';
import * as blackedOutWords from './migrations/0195_blacked_out_words.ts';
import * as importColumns from './migrations/0190_import_columns.ts';
import * as supportPermissions from './migrations/0160_support_permissions.ts';
import * as pupilTags from './migrations/0138_pupil_tags.ts';
import * as devices from './migrations/0139_devices.ts';
import * as secondFactors from './migrations/0140_second_factors.ts';
import * as factorPolicy from './migrations/0142_factor_policy.ts';
import * as factorRecoveries from './migrations/0144_factor_recoveries.ts';
import * as signInProviders from './migrations/0150_sign_in_providers.ts';
import * as dataAndPrivacy from './migrations/0155_data_and_privacy.ts';
import * as deletedClasses from './migrations/0223_deleted_classes.ts';
import * as databaseGeneration from './migrations/0213_database_generation.ts';
import * as schoolRecordsWords from './migrations/0225_school_records_words.ts';
import * as revertedPurchases from './migrations/0226_reverted_purchases.ts';
import { isAuditLogProtected } from './audit-functions.ts';
import { retryOnLockTimeout, type RetryOptions } from './lock-retries.ts';
import { listUnprotectedTables, protectTables } from './row-level-security.ts';
import type { Tables } from './tables.ts';

/** A change of the schema. It runs in a transaction of its own, unless it builds indexes concurrently. */
export interface Migration {
  up(db: Kysely<unknown>): Promise<void>;
  /** False for `create index concurrently`, which cannot run in a transaction. Such a migration can run again. */
  runsInTransaction?: boolean;
}

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
  '0081_unmatched_payments': unmatchedPayments,
  '0085_payment_reports': paymentReports,
  '0093_cleanup_indexes': cleanupIndexes,
  '0130_need_responses': needResponses,
  '0135_audit_log_by_actor': auditLogByActor,
  '0138_pupil_tags': pupilTags,
  '0139_devices': devices,
  '0140_second_factors': secondFactors,
  '0142_factor_policy': factorPolicy,
  '0144_factor_recoveries': factorRecoveries,
  '0150_sign_in_providers': signInProviders,
  '0155_data_and_privacy': dataAndPrivacy,
  '0160_support_permissions': supportPermissions,
  '0161_audit_chains': auditChains,
  '0170_subject_requests': subjectRequests,
  '0175_record_views': recordViews,
  '0176_school_closings': schoolClosings,
  '0177_erasures_of_schools': erasuresOfSchools,
  '0180_school_records': schoolRecords,
  '0185_roster_connections': rosterConnections,
  '0190_import_columns': importColumns,
  '0195_blacked_out_words': blackedOutWords,
  '0196_login_events': loginEvents,
  '0197_import_digests': importDigests,
  '0200_email_changes': emailChanges,
  '0201_known_devices': knownDevices,
  '0202_origins_of_sessions': originsOfSessions,
  '0202_session_origin_indexes': sessionOriginIndexes,
  '0204_rights_as_cases': rightsAsCases,
  '0205_requests_by_requester': requestsByRequester,
  '0206_former_staff': formerStaff,
  '0207_former_staff_indexes': formerStaffIndexes,
  '0209_people_of_mails': peopleOfMails,
  '0210_accepted_invites': acceptedInvites,
  '0211_indexes_for_erasure': indexesForErasure,
  '0213_database_generation': databaseGeneration,
  '0215_daily_views': dailyViews,
  '0217_audit_heads': auditHeads,
  '0221_secret_keys': secretKeys,
  '0222_keys_of_recovery_codes': keysOfRecoveryCodes,
  '0223_deleted_classes': deletedClasses,
  '0225_school_records_words': schoolRecordsWords,
  '0226_reverted_purchases': revertedPurchases,
};

/** Former names of migrations, under which they ran on some databases. */
const FORMER_NAMES: Record<string, string> = {
  '0001_the_first_tables': '0001_initial_schema',
  '0005_counters_without_a_log': '0005_unlogged_rate_limits',
};

/**
 * The last migration of the previous release, which serves beside this version during an upgrade. Until the first
 * release, of the version whose statements are recorded: docs/decisions/releases-side-by-side.md
 */
export const RELEASED_SCHEMA = '0070_library_page_ids';

/** The names of the migrations in the order in which they run. */
export const migrationNames: readonly string[] = Object.keys(migrations);

/** Returns whether this version knows a migration; the database of a newer version may have others. */
export const isKnownMigration = (name: string): boolean => (FORMER_NAMES[name] ?? name) in migrations;

interface Executed {
  /** As this version calls it. */
  name: string;
  /** The last migration of the oldest version that works on the schema from then on. */
  oldestCompatible: string | null;
}

/** The migrations that ran on this database. */
async function listExecuted(db: Kysely<Tables>): Promise<Executed[]> {
  const { rows: known } = await sql`select 1 from pg_class where oid = to_regclass('kysely_migration')`.execute(db);
  if (known.length === 0) return [];
  // By way of JSON, because the record of earlier versions lacks the column.
  const { rows } = await sql<Executed>`
    select name, to_jsonb(m) ->> 'oldest_compatible' as "oldestCompatible" from kysely_migration m`.execute(db);
  return rows.map((row) => ({ ...row, name: FORMER_NAMES[row.name] ?? row.name }));
}

/** Completes the record of migrations, which has the form of Kysely's own migrator: earlier versions read it. */
async function prepareRecord(db: Kysely<Tables>): Promise<void> {
  await sql`create table if not exists kysely_migration (
    name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(db);
  const { rows } = await sql`select 1 from pg_attribute
    where attrelid = 'kysely_migration'::regclass and attname = 'oldest_compatible'`.execute(db);
  if (rows.length === 0) await sql`alter table kysely_migration add column oldest_compatible varchar(255)`.execute(db);
  for (const [former, name] of Object.entries(FORMER_NAMES))
    await sql`update kysely_migration set name = ${name} where name = ${former}`.execute(db);
}

async function runMigration(db: Kysely<Tables>, name: string, migration: Migration): Promise<void> {
  await migration.up(db as unknown as Kysely<unknown>);
  await sql`insert into kysely_migration (name, timestamp, oldest_compatible)
    values (${name}, ${new Date().toISOString()}, ${RELEASED_SCHEMA})`.execute(db);
}

export interface MigrateOptions extends RetryOptions {
  /** Migrations besides this version's, for tests. */
  more?: Record<string, Migration>;
}

/**
 * Runs the migrations that are missing, each in a transaction of its own, then protects the tables. A migration waits
 * for a lock for seconds only, because every query on the table queues behind it, and tries again later.
 * A database on which only the next release ran is left as it is. Throws the migration's own error, and when the
 * database is further ahead of this version.
 * @param until the last migration that runs, for tests of upgrades, where the tables stay as they are; all when absent
 */
export async function migrate(
  db: Kysely<Tables>,
  until?: string,
  { more = {}, ...retry }: MigrateOptions = {},
): Promise<void> {
  const all = { ...migrations, ...more };
  const records = await listExecuted(db);
  const newer = records.filter(({ name }) => !(name in all));
  if (newer.some(({ oldestCompatible }) => !oldestCompatible || !isKnownMigration(oldestCompatible)))
    throw new Error(
      'The database was used by a newer version of the portal. Start that version or a later one, or name another database.',
    );
  if (newer.length > 0) {
    retry.onProgress?.('The database has the schema of the next version, with which this version is compatible.');
    return;
  }
  const executed = new Set(records.map(({ name }) => name));
  await prepareRecord(db);
  const last = until ?? '9999';
  // A version may bring a migration whose number lies before one that ran already: docs/decisions/releases-side-by-side.md
  const missing = Object.entries(all).filter(([name]) => !executed.has(name) && name <= last);
  for (const [index, [name, migration]] of missing.entries()) {
    if (executed.size > 0) retry.onProgress?.(`Migration ${index + 1} of ${missing.length}: ${name} …`);
    if (migration.runsInTransaction === false)
      await db.connection().execute((connection) => runMigration(connection, name, migration));
    else await retryOnLockTimeout(db, name, (tx) => runMigration(tx, name, migration), retry);
  }
  if (until) return;
  const isProtected =
    (await listUnprotectedTables(db)).length === 0 && (await isAuditLogProtected(db as unknown as Kysely<unknown>));
  if (missing.length > 0 || !isProtected) await protectTables(db, retry);
}

/** Returns whether a start would change the schema. */
export async function needsMigration(db: Kysely<Tables>): Promise<boolean> {
  const executed = new Set((await listExecuted(db)).map(({ name }) => name));
  return migrationNames.some((name) => !executed.has(name));
}

// Checks the settings against the database, in which nothing is changed.
import { fingerprintsOf } from '../auth/secrets-key.ts';
import type { Config } from '../config.ts';
import { connectServer, type Database } from '../database/database.ts';
import {
  type DatabaseFacts,
  findForeignTable,
  listRoleFacts,
  readDatabaseFacts,
  readIdentity,
  type RoleFacts,
} from '../database/inspect-server.ts';
import { readKeyProblem } from '../database/secret-keys.ts';
import type { SettingIssue, SettingName } from '../settings.ts';
import { codeOf } from './check-machine.ts';

interface DatabaseFindings {
  errors: SettingIssue[];
  warnings: SettingIssue[];
}

const ANSWER_TIMEOUT_MS = 5000;
const MIN_VERSION = 150_000;
/** From this version on, who may create roles may not grant those of others. */
const SEPARATE_GRANTS_VERSION = 160_000;
/** Connections of a process beside its pool, and those for a backup, monitoring and an administrator. */
const OTHER_CONNECTIONS = 16;

const POOLER_HINT = ' (a connection pooler: set DATABASE_PREPARED_STATEMENTS=off and DATABASE_DIRECT_URL)';

type UrlSetting = 'DATABASE_URL' | 'DATABASE_DIRECT_URL';

const connectionIssue = (error: Error, setting: UrlSetting = 'DATABASE_URL'): SettingIssue => ({
  setting,
  text: `names a database that cannot be used: ${error.message || codeOf(error)}${
    error.message.includes('unsupported startup parameter') ? POOLER_HINT : ''
  }`,
});

/** Errors of the network, of authentication, and of a database that does not exist. */
const CANNOT_CONNECT = /^(E[A-Z]+|08...|28...|3D000|57P03)$/;

/** The setting that explains why a start failed at the database; undefined if none does. */
export function findDatabaseCause(error: Error, { databaseUrl }: Config): SettingIssue | undefined {
  if (!databaseUrl) return undefined;
  if (codeOf(error) === '53100')
    return {
      setting: 'DATABASE_URL',
      text: 'names a server whose disk is full. Free some space there and start again',
    };
  return CANNOT_CONNECT.test(codeOf(error)) ? connectionIssue(error) : undefined;
}

/** Why the portal cannot work with what the account may do; the first reason, because others often follow from it. */
export function explainFacts(facts: DatabaseFacts, { stage }: Config): string | undefined {
  const { account, database, version, encoding } = facts;
  if (version < MIN_VERSION)
    return `names PostgreSQL ${Math.floor(version / 10_000)}. Upgrade the server to PostgreSQL 15 or later`;
  if (encoding !== 'UTF8')
    return `names a database with the encoding ${encoding}, which cannot store every name. Create one with encoding 'UTF8' template template0`;
  if (facts.isStandby) return 'names a standby, which cannot be written to. Name the primary server';
  if (facts.isReadOnly)
    return `names a database in which the account ${account} may only read: alter database ${database} reset default_transaction_read_only, or the same for the role`;
  if (facts.isSuperuser && stage === 'production')
    return `names the account ${account}, a superuser, for whom no rule of the database applies. Create an account that owns its database: create role portal login createrole`;
  if (!facts.isOwner)
    return `names the account ${account}, but the database belongs to ${facts.owner}. As a superuser: alter database ${database} owner to ${account}`;
  return undefined;
}

/** Why the account cannot use the roles of the portal, or create those that are missing. */
export function explainRoles({ account, version, canCreateRoles }: DatabaseFacts, roles: readonly RoleFacts[]) {
  const missing = roles.filter(({ exists }) => !exists).map(({ name }) => name);
  if (missing.length > 0 && !canCreateRoles)
    return `names the account ${account}, which may not create the roles ${missing.join(', ')}. As a superuser: alter role ${account} createrole`;
  const mayGrantAny = version < SEPARATE_GRANTS_VERSION && canCreateRoles;
  const closed = roles
    .filter(({ exists, isMember, isAdmin, isJoinedAtStart }) => exists && !isAdmin && (isJoinedAtStart || !isMember))
    .map(({ name }) => name);
  if (closed.length === 0 || mayGrantAny) return undefined;
  return `names the account ${account}, which may not use the roles ${closed.join(', ')} of this server. As a superuser: grant ${closed.join(', ')} to ${account} with admin option`;
}

/** Why the weekly test of a restore would fail. */
function explainRestoreTest({ account, isSuperuser, canCreateDatabases }: DatabaseFacts, config: Config) {
  if (!config.backupDir || !config.hasRestoreTest || isSuperuser || canCreateDatabases) return undefined;
  return `is on, but the account ${account} may not create a scratch database. As a superuser: alter role ${account} createdb`;
}

async function findRightsIssue(database: Database, facts: DatabaseFacts, config: Config): Promise<string | undefined> {
  const problem = explainFacts(facts, config);
  if (problem ?? facts.isSuperuser) return problem;
  const foreign = await findForeignTable(database);
  if (foreign)
    return `names the account ${facts.account}, but the table ${foreign.name} belongs to ${foreign.owner}, as which the portal ran before. As a superuser, give all its tables, sequences and functions to ${facts.account} (alter … owner to), or restore a backup as ${facts.account}`;
  return explainRoles(facts, await listRoleFacts(database));
}

/** Opens a connection for a check; the result of `work`, or an issue with the setting when the database cannot be used. */
async function connectFor<T>(
  setting: UrlSetting,
  url: string,
  isPooled: boolean,
  work: (database: Database) => Promise<T>,
): Promise<{ result: T } | { issue: SettingIssue }> {
  const database = connectServer(url, {
    connections: 1,
    connectTimeoutMs: ANSWER_TIMEOUT_MS,
    statementTimeoutMs: ANSWER_TIMEOUT_MS,
    isPooled,
  });
  try {
    return { result: await work(database) };
  } catch (error) {
    return { issue: connectionIssue(error as Error, setting) };
  } finally {
    await database.close();
  }
}

interface Options {
  /** Reads the keys too. A start does that later, when it is its turn to prepare the database. */
  withKeys: boolean;
}

const toIssues = (setting: SettingName, text: string | undefined): SettingIssue[] => (text ? [{ setting, text }] : []);

/** Checks the server itself, behind any pooler. */
async function checkServer(setting: UrlSetting, database: Database, config: Config, { withKeys }: Options) {
  const identity = await readIdentity(database);
  const facts = await readDatabaseFacts(database);
  if (!facts) throw new Error('it does not name itself');
  const problem = await findRightsIssue(database, facts, config);
  // The keys are in a table, which an account without rights cannot read. Without the setting the key is in the data
  // folder, where a check creates no file.
  const checksKeys = withKeys && problem === undefined && config.secretsKeys.length > 0;
  const keyProblem = checksKeys ? await readKeyProblem(database, fingerprintsOf(config)) : undefined;
  const needed = config.databasePoolSize + OTHER_CONNECTIONS;
  const isTooSmall = !config.isDatabasePooled && facts.maxConnections < needed;
  return {
    identity,
    errors: [...toIssues(setting, problem), ...toIssues('SECRETS_KEY', keyProblem)],
    warnings: [
      ...toIssues(
        'DATABASE_POOL_SIZE',
        isTooSmall
          ? `needs ${needed} connections with those of backups and background work, but the server allows ${facts.maxConnections}: raise max_connections, or lower the setting`
          : undefined,
      ),
      ...toIssues('RESTORE_TEST', explainRestoreTest(facts, config)),
    ],
  };
}

/** Why the database cannot be used, or not with these settings, and what is doubtful. Changes nothing. */
export async function checkDatabase(config: Config, options: Options): Promise<DatabaseFindings> {
  const { databaseUrl, isDatabasePooled } = config;
  if (!databaseUrl) return { errors: [], warnings: [] };
  const directUrl = config.databaseDirectUrl ?? databaseUrl;
  const setting = directUrl === databaseUrl ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  const direct = await connectFor(setting, directUrl, false, (database) =>
    checkServer(setting, database, config, options),
  );
  const pooled =
    setting === 'DATABASE_URL'
      ? undefined
      : await connectFor('DATABASE_URL', databaseUrl, isDatabasePooled, (database) => readIdentity(database));
  const issues = [direct, ...(pooled ? [pooled] : [])].flatMap((result) => ('issue' in result ? [result.issue] : []));
  if (!('result' in direct)) return { errors: issues, warnings: [] };
  const { identity, errors, warnings } = direct.result;
  const isOther = pooled !== undefined && 'result' in pooled && pooled.result !== identity;
  return {
    errors: [
      ...issues,
      ...(isOther
        ? toIssues(
            'DATABASE_DIRECT_URL',
            'names another database or server than DATABASE_URL: both must lead to the same one, or migrations change the wrong one',
          )
        : []),
      ...errors,
    ],
    warnings,
  };
}

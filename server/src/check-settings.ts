// Everything that is wrong with the settings. `npm run config` prints it; a start makes the same checks.
import { type Config, configOf } from './config.ts';
import { checkDatabase, findDatabaseCause } from './setting-checks/check-database.ts';
import { findMailServerError } from './setting-checks/check-mail-server.ts';
import { findFolderErrors, findPortErrorsBesidePortal, listenIssue } from './setting-checks/check-machine.ts';
import { findLeftovers, findWrongNames } from './setting-checks/setting-names.ts';
import { findBrokenRules } from './setting-checks/setting-rules.ts';
import { parseSettings, type SettingIssue, type SettingName, type Settings } from './settings.ts';

/** Errors prevent a start, warnings are logged. */
export interface Findings {
  errors: SettingIssue[];
  warnings: SettingIssue[];
}

/** Checks values by themselves. `settings` and `config` are undefined while a value is invalid. */
export function checkValues(
  environment: Record<string, string | undefined>,
  now: Date,
): Findings & { settings?: Settings; config?: Config } {
  const { settings, issues } = parseSettings(environment);
  const warnings = findWrongNames(environment);
  const errors = [...issues, ...findLeftovers(environment)];
  if (!settings) return { errors, warnings };
  const config = configOf(settings);
  const isSet = (name: SettingName) => Boolean(environment[name]);
  const broken = findBrokenRules({ given: settings, config, isSet, today: now.toISOString().slice(0, 10) });
  return {
    settings,
    config,
    errors: [...errors, ...broken.errors, ...findFolderErrors(config)],
    warnings: [...warnings, ...broken.warnings],
  };
}

/** Asks the machine and other servers, without a start: the portal may be running with these settings. */
export async function checkSurroundings(config: Config): Promise<Findings> {
  const [portErrors, database, mailWarnings] = await Promise.all([
    findPortErrorsBesidePortal(config),
    checkDatabase(config, { withKeys: true }),
    findMailServerError(config.smtpUrl),
  ]);
  return {
    errors: [...portErrors, ...database.errors],
    warnings: [...database.warnings, ...mailWarnings],
  };
}

/** A key that the database may still need, because it was not retired. */
export const missingKeyIssue = (fingerprint: string): SettingIssue => ({
  setting: 'SECRETS_KEY',
  text: `lacks the key ${fingerprint}, which is not retired: add it at the end and run npm run operator -- rotate-key`,
});

/** The setting that explains why a start failed; undefined if none does. */
export function findCauseOfFailedStart(error: Error, config: Config): SettingIssue | undefined {
  const { host, port, metricsHost, metricsPort } = config;
  if ('syscall' in error && error.syscall === 'listen') {
    return metricsPort !== undefined && metricsPort !== port && 'port' in error && error.port === metricsPort
      ? listenIssue(error, 'METRICS_PORT', metricsHost, metricsPort)
      : listenIssue(error, 'PORT', host, port);
  }
  return findDatabaseCause(error, config);
}

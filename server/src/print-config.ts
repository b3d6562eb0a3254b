// npm run config: prints the settings in effect, secrets masked, and everything that is wrong with them.
import {
  findDatabaseError,
  findDoubtfulSettings,
  findFolderErrors,
  findMailServerError,
  findMisspeltNames,
} from './check-settings.ts';
import { completeSettings, formatIssues, readConfig } from './config.ts';
import { maskSetting, parseSettings, type SettingIssue, settingNames } from './settings.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

const { env } = process;
const { settings, issues } = parseSettings(env);
const effective: Record<string, unknown> = settings ? completeSettings(settings) : env;
const width = Math.max(...settingNames.map((name) => name.length));
for (const name of settingNames) {
  const value = effective[name];
  const shown =
    value === undefined || value === ''
      ? '-'
      : maskSetting(name, typeof value === 'string' ? value : JSON.stringify(value));
  say(`${name.padEnd(width)}  ${shown}${env[name] ? '' : '  (default)'}`);
}

const errors: SettingIssue[] = [...issues];
const warnings = findMisspeltNames(env);
if (settings) {
  const config = readConfig(env);
  errors.push(...findFolderErrors(config), ...(await findDatabaseError(config)));
  warnings.push(...findDoubtfulSettings(config), ...(await findMailServerError(config.smtpUrl)));
}
if (warnings.length > 0) say(`\nWarnings:\n${formatIssues(warnings)}`);
if (errors.length > 0) {
  say(`\nInvalid settings:\n${formatIssues(errors)}`);
  process.exitCode = 1;
} else say('\nThe settings are valid.');

// npm run config: prints the settings in effect, secrets masked, and everything that is wrong with them.
import { checkSurroundings, checkValues } from '../check-settings.ts';
import { systemClock } from '../clock.ts';
import { completeSettings, formatIssues } from '../config.ts';
import { maskSetting, settingNames } from '../settings.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

const { env } = process;
const { settings, config, errors, warnings } = checkValues(env, systemClock.now());
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

if (config) {
  const found = await checkSurroundings(config);
  errors.push(...found.errors);
  warnings.push(...found.warnings);
}
if (warnings.length > 0) say(`\nWarnings:\n${formatIssues(warnings)}`);
if (errors.length > 0) {
  say(`\nInvalid settings:\n${formatIssues(errors)}`);
  process.exitCode = 1;
} else say('\nThe settings are valid.');

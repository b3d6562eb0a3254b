// Which rules apply, by the stage of the portal.
import { NEEDS_SERVER } from '../database/embedded.ts';
import type { SettingIssue } from '../settings.ts';
import { COMPANY_RULES } from './company-rules.ts';
import { error, isHttps, type Rule, type Subject, warning } from './rule.ts';
import { hostOf, isNearby, isReservedHost } from './setting-values.ts';
import { SERVER_RULES } from './server-rules.ts';

/** Rules of every portal. */
export const COMMON_RULES: readonly Rule[] = [
  error('BACKUP_DIR', NEEDS_SERVER, ({ config }) => config.backupDir && !config.databaseUrl),
];

/** Rules of a portal for real schools. */
const PRODUCTION_RULES: readonly Rule[] = [...SERVER_RULES, ...COMPANY_RULES];

/** Rules of a portal for tests and development. */
export const OTHER_RULES: readonly Rule[] = [
  warning(
    'STAGE',
    'is for development, but PUBLIC_URL is an https address: set STAGE=production for schools',
    ({ config: { stage, publicUrl } }) =>
      (stage === 'local' || stage === 'development') &&
      isHttps(publicUrl) &&
      !isNearby(hostOf(publicUrl)) &&
      !isReservedHost(hostOf(publicUrl)),
  ),
  error(
    'STRIPE_SECRET_KEY',
    'is a live key, which charges real cards: use the test key unless STAGE=production',
    ({ given }) => /^[sr]k_live_/.test(given.STRIPE_SECRET_KEY ?? ''),
  ),
];

/** Whether anyone but a person at this machine can use the portal: `npm start` without settings is a trial. */
const isTrial = ({ given, config }: Subject) => !given.DATABASE_URL && !given.PUBLIC_URL && config.demo;

/** The rules that valid settings break. */
export function findBrokenRules(subject: Subject): { errors: SettingIssue[]; warnings: SettingIssue[] } {
  const ofStage = subject.config.stage !== 'production' ? OTHER_RULES : isTrial(subject) ? [] : PRODUCTION_RULES;
  const broken = [...COMMON_RULES, ...ofStage].filter(({ isBroken }) => isBroken(subject));
  const pick = (level: Rule['level']): SettingIssue[] =>
    broken.filter((rule) => rule.level === level).map(({ setting, text }) => ({ setting, text }));
  return { errors: pick('error'), warnings: pick('warning') };
}

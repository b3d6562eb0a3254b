import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkValues } from '../check-settings.ts';
import { formatIssues } from '../config.ts';
import { COMPANY_RULES } from './company-rules.ts';
import { SERVER_RULES } from './server-rules.ts';
import { COMMON_RULES, OTHER_RULES } from './setting-rules.ts';

const folder = mkdtempSync(join(tmpdir(), 'portal-rules-'));
afterAll(() => rmSync(folder, { recursive: true }));
const data = join(folder, 'data');
const backups = join(folder, 'backups');
mkdirSync(backups);
mkdirSync(data);

/** A complete file of settings for real schools. */
const RIGHT: Record<string, string> = {
  DATABASE_URL: 'postgres://portal:9f2c41d07be35a68@127.0.0.1:5432/portal',
  PUBLIC_URL: 'https://portal.readwell.co.uk',
  SECRETS_KEY: 'Yq7LrU2mZ0pVtK9wXcB4nHs8JdFgAe31',
  SMTP_URL: 'smtps://office:hunter-ash-rope@mail.readwell.co.uk:465',
  TRUST_PROXY: '127.0.0.1',
  DATA_DIR: data,
  BACKUP_DIR: backups,
  // From age's own documentation.
  BACKUP_RECIPIENTS: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
  CONTACT_EMAIL: 'office@readwell.co.uk',
  PRODUCT_NAME: 'Readwell',
  SELLER_NAME: 'Readwell Ltd',
  SELLER_ADDRESS: '1 High Street;Leeds;LS1 4AP',
  SELLER_VAT_NUMBER: 'GB 123 4567 82',
  BANK_ACCOUNT: 'Readwell Ltd;20-41-15;73920184',
  STRIPE_SECRET_KEY: 'rk_live_51HcK2',
  STRIPE_WEBHOOK_SECRET: 'whsec_8sK2mVw0Qh3Ld9Zx',
};
const NOW = new Date('2026-11-27T12:00:00Z');
const check = (changes: Record<string, string>) => {
  const { errors, warnings } = checkValues({ ...RIGHT, ...changes }, NOW);
  return { errors: formatIssues(errors), warnings: formatIssues(warnings) };
};

test('a complete file of settings has neither errors nor warnings', () => {
  expect(check({})).toEqual({ errors: '', warnings: '' });
});

const POOLER = {
  DATABASE_PREPARED_STATEMENTS: 'off',
  DATABASE_URL: 'postgres://portal:9f2c41d07be35a68@127.0.0.1:6432/portal',
};
const ISSUER = '[{"id":"trust","name":"Trust","issuer":"ISSUER","client_id":"portal","client_secret":"8sK2mVw0"}]';
const MICROSOFT_ID = '0f0f0f0f-1111-4222-8333-444444444444';

/** Settings with which a portal does not start. */
const ERRORS: [changes: Record<string, string>, issue: string][] = [
  [{ ADMIN_PANEL_URL: 'https://portal.example/admin' }, 'ADMIN_PANEL_URL has a host that exists only in examples'],
  [{ DATABASE_URL: '' }, 'BACKUP_DIR needs a PostgreSQL server in DATABASE_URL'],
  [{ BACKUP_DIR: data, DATA_DIR: data }, 'BACKUP_DIR is the same folder as DATA_DIR'],
  [{ BACKUP_HOOK: '/srv/missing' }, 'BACKUP_HOOK must be a program'],
  [{ BACKUP_RECIPIENTS: 'AGE-SECRET-KEY-1' }, 'BACKUP_RECIPIENTS'],
  [{ CONTACT_EMAIL: '' }, 'CONTACT_EMAIL is required'],
  [{ CONTACT_EMAIL: 'office@school.example' }, 'CONTACT_EMAIL has a host'],
  [{ CONTACT_EMAIL: 'office@example.com' }, 'CONTACT_EMAIL has a host'],
  [{ CONTACT_EMAIL: ' office@readwell.co.uk' }, 'CONTACT_EMAIL begins or ends with a space'],
  [{ CONTENT_URL: 'https://content.invalid' }, 'CONTENT_URL has a host'],
  [{ DATABASE_URL: 'postgres://portal:CHANGE-ME@127.0.0.1/portal' }, 'DATABASE_URL still contains a placeholder'],
  [{ DATABASE_URL: 'postgres://USER:PASSWORD@127.0.0.1/portal' }, 'DATABASE_URL still contains a placeholder'],
  [{ DATABASE_URL: 'postgres://portal:9f2c41d07@db.example/portal' }, 'DATABASE_URL has a host'],
  [{ ...POOLER, DATABASE_DIRECT_URL: POOLER.DATABASE_URL }, 'DATABASE_DIRECT_URL is the same as DATABASE_URL'],
  [{ ...POOLER, DATABASE_DIRECT_URL: 'postgres://portal:9f2c@db.test/portal' }, 'DATABASE_DIRECT_URL has a host'],
  [{ DATA_DIR: `"${data}"` }, 'DATA_DIR begins and ends with a quotation mark'],
  [{ DATA_DIR: `${data} ` }, 'DATA_DIR begins or ends with a space'],
  [{ ENQUIRY_FORM_URL: 'https://forms.example/1' }, 'ENQUIRY_FORM_URL has a host'],
  [{ METRICS_TOKEN: 'a'.repeat(32) }, 'METRICS_TOKEN can be guessed'],
  [{ MICROSOFT_CLIENT_ID: MICROSOFT_ID, MICROSOFT_CLIENT_SECRET: 'xxxx' }, 'MICROSOFT_CLIENT_SECRET still contains'],
  [{ OIDC_PROVIDERS: ISSUER.replace('ISSUER', 'https://login.trust.example') }, 'OIDC_PROVIDERS names an issuer'],
  [{ OIDC_PROVIDERS: ISSUER.replace('8sK2mVw0', '…') }, 'OIDC_PROVIDERS still contains a placeholder'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example' }, 'OTEL_EXPORTER_OTLP_ENDPOINT has a host'],
  [{ PORT: '8080\r' }, 'PORT begins or ends with a space or the end of a line'],
  [{ PUBLIC_URL: 'https://YOUR-DOMAIN' }, 'PUBLIC_URL still contains a placeholder'],
  [{ PUBLIC_URL: 'https://your-domain.co.uk' }, 'PUBLIC_URL still contains a placeholder'],
  [{ PUBLIC_URL: 'https://portal.example' }, 'PUBLIC_URL has a host'],
  [{ PUBLIC_URL: 'https://portal.test' }, 'PUBLIC_URL has a host'],
  [{ PUBLIC_URL: 'https://example.org' }, 'PUBLIC_URL has a host'],
  [{ PUBLIC_URL: 'https://portal.readwell.co.uk:8080' }, 'PUBLIC_URL has the port of the portal itself'],
  [{ READER_APP_URL: 'https://portal.readwell.co.uk/read' }, 'READER_APP_URL is the portal itself'],
  [{ READER_APP_URL: 'https://read.example' }, 'READER_APP_URL has a host'],
  [{ SECRETS_KEY: 'a'.repeat(32) }, 'SECRETS_KEY can be guessed'],
  [{ SECRETS_KEY: '0123456789abcdef'.repeat(2) }, 'SECRETS_KEY can be guessed'],
  [{ SECRETS_KEY: `${RIGHT.SECRETS_KEY},${'ab'.repeat(16)}` }, 'SECRETS_KEY can be guessed'],
  [{ SECRETS_KEY: 'CHANGE-ME-CHANGE-ME-CHANGE-ME-CHANGE-ME' }, 'SECRETS_KEY still contains a placeholder'],
  [{ SECRETS_KEY: `'${RIGHT.SECRETS_KEY}'` }, 'SECRETS_KEY begins and ends with a quotation mark'],
  [{ SELLER_ADDRESS: '' }, 'SELLER_ADDRESS is required on invoices'],
  [{ SELLER_VAT_NUMBER: '' }, 'SELLER_VAT_NUMBER is required on invoices with VAT'],
  [{ SELLER_VAT_NUMBER: 'GB 1234' }, 'SELLER_VAT_NUMBER must be GB and nine digits'],
  [{ SMTP_URL: 'smtps://user:password@mail.readwell.co.uk' }, 'SMTP_URL still contains a placeholder'],
  [{ BOUNCE_ADDRESS: 'bounces@mail.example' }, 'BOUNCE_ADDRESS has a host'],
  [{ BOUNCE_MAILBOX: 'imaps://bounces:ash-rope@mail.example' }, 'BOUNCE_MAILBOX has a host'],
  [{ SMTP_URL: 'smtps://office:ash-rope@mail.example:465' }, 'SMTP_URL has a host'],
  [{ STATIC_FILES_URL: 'https://files.example' }, 'STATIC_FILES_URL has a host'],
  [{ STRIPE_SECRET_KEY: 'sk_test_51HcK2' }, 'STRIPE_SECRET_KEY is a test key'],
  [{ STAGE: 'staging' }, 'STRIPE_SECRET_KEY is a live key'],
  [{ SUPPORT_EMAIL: 'help@readwell.invalid' }, 'SUPPORT_EMAIL has a host'],
  [{ TRUST_PROXY: '' }, 'TRUST_PROXY is required with an https PUBLIC_URL'],
  [{ VAT_RATES: '2030-01-01=20' }, 'VAT_RATES has no rate for today'],
  [{ VAT_RATES: '2011-01-04=29' }, 'VAT_RATES has a rate above 27 per cent'],
];

/** Settings that a start warns of. */
const WARNINGS: [changes: Record<string, string>, issue: string][] = [
  [{ ADMIN_PANEL_URL: 'http://portal.readwell.co.uk/admin' }, 'ADMIN_PANEL_URL is not https'],
  [{ BACKUP_DAYS: '90' }, 'BACKUP_DAYS is more than the 35 days'],
  [{ BACKUP_DAYS: '1' }, 'BACKUP_DAYS is less than a week'],
  [{ BACKUP_DIR: '', BACKUP_DAYS: '14' }, 'BACKUP_DAYS has no effect without BACKUP_DIR'],
  [{ BACKUP_DIR: '' }, 'BACKUP_DIR is not set'],
  [{ BACKUP_DIR: '.' }, 'BACKUP_DIR is not an absolute path'],
  [{ BACKUP_RECIPIENTS: '' }, 'BACKUP_RECIPIENTS is not set'],
  [{ DRAIN_SECONDS: '0' }, 'DRAIN_SECONDS is 0'],
  [{ DATA_DIR: join(backups, 'inner') }, 'BACKUP_DIR and DATA_DIR are inside each other'],
  [
    { BANK_ACCOUNT: '', STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: '' },
    'BANK_ACCOUNT and STRIPE_SECRET_KEY are not',
  ],
  [{ BANK_ACCOUNT: 'Readwell Ltd;20-00-00;12345678' }, 'BANK_ACCOUNT looks like an example'],
  [{ BANK_ACCOUNT: 'Readwell Ltd;00-00-00;73920184' }, 'BANK_ACCOUNT looks like an example'],
  [{ CONTENT_URL: 'http://content.readwell.co.uk' }, 'CONTENT_URL is not https'],
  [{ DATABASE_URL: '', BACKUP_DIR: '' }, 'DATABASE_URL is not set: the embedded database is for trying'],
  [{ DATABASE_URL: 'postgres://portal:portal@127.0.0.1/portal' }, 'DATABASE_URL has a password that everyone tries'],
  [{ DATABASE_URL: 'postgres://portal:9f2c41d0@db.readwell.co.uk/portal' }, 'DATABASE_URL leads to another machine'],
  [{ DATABASE_URL: 'postgres://portal:9f2c41d0@127.0.0.1/postgres' }, 'DATABASE_URL names a database that belongs'],
  [
    { ...POOLER, DATABASE_DIRECT_URL: 'postgres://portal:9f2c41d0@10.0.0.7/portal' },
    'DATABASE_DIRECT_URL leads to another machine',
  ],
  [{ DATA_DIR: '' }, 'DATA_DIR is not set'],
  [{ DATA_DIR: 'files' }, 'DATA_DIR is not an absolute path'],
  [{ DEMO: 'on' }, 'DEMO is on: the demonstration schools have accounts'],
  [{ TRUST_PROXI: '127.0.0.1' }, 'TRUST_PROXI is not a setting: do you mean TRUST_PROXY?'],
  [{ ENQUIRY_FORM_URL: 'http://forms.readwell.co.uk' }, 'ENQUIRY_FORM_URL is not https'],
  [{ HOST: '0.0.0.0' }, 'HOST lets other machines call the portal'],
  [{ LOG_LEVEL: 'silent' }, 'LOG_LEVEL is silent'],
  [{ LOG_LEVEL: 'trace' }, 'LOG_LEVEL is for development'],
  [{ MAX_EVENT_LOOP_DELAY: '0' }, 'MAX_EVENT_LOOP_DELAY is 0'],
  [{ MAX_EVENT_LOOP_DELAY: '5' }, 'MAX_EVENT_LOOP_DELAY is below 100 ms'],
  [{ METRICS_HOST: '0.0.0.0', METRICS_PORT: '9464' }, 'METRICS_HOST lets other machines read the metrics'],
  [{ METRICS_HOST: '0.0.0.0' }, 'METRICS_HOST has no effect without METRICS_PORT'],
  [{ METRICS_PORT: '0' }, 'METRICS_PORT is 0'],
  [
    { MICROSOFT_CLIENT_ID: MICROSOFT_ID, MICROSOFT_CLIENT_SECRET: MICROSOFT_ID },
    'MICROSOFT_CLIENT_SECRET looks like the ID',
  ],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://10.0.0.9:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT sends traces'],
  [{ PORT: '0' }, 'PORT is 0'],
  [{ PRODUCT_NAME: '' }, 'PRODUCT_NAME is not set'],
  [{ PUBLIC_URL: 'http://portal.readwell.co.uk' }, 'PUBLIC_URL is not https'],
  [{ PUBLIC_URL: 'https://localhost' }, 'PUBLIC_URL leads only to this machine'],
  [{ PUBLIC_URL: 'http://127.0.0.1:8080' }, 'PUBLIC_URL leads only to this machine'],
  [{ PUBLIC_URL: 'https://81.2.69.142' }, 'PUBLIC_URL has no domain name'],
  [{ PUBLIC_URL: 'https://portal' }, 'PUBLIC_URL has no domain name'],
  [{ READER_APP_NAME: 'Readwell Go' }, 'READER_APP_NAME has no effect without READER_APP_URL'],
  [{ READER_APP_URL: 'http://read.readwell.co.uk' }, 'READER_APP_URL is not https'],
  [{ SECRETS_KEY: `${RIGHT.SECRETS_KEY},${RIGHT.SECRETS_KEY}` }, 'SECRETS_KEY contains the same key twice'],
  [{ METRICS_TOKEN: RIGHT.SECRETS_KEY! }, 'SECRETS_KEY is also METRICS_TOKEN'],
  [{ SELLER_NAME: '' }, 'SELLER_NAME is not set'],
  [{ SELLER_VAT_NUMBER: 'GB123456783' }, 'SELLER_VAT_NUMBER has wrong check digits'],
  [{ SERVER_RENDERING: 'off' }, 'SERVER_RENDERING is off'],
  [{ BOUNCE_ADDRESS: 'bounces@readwell.co.uk' }, 'BOUNCE_ADDRESS has no effect'],
  [{ BOUNCE_MAILBOX: 'imaps://bounces:ash-rope@mail.readwell.co.uk' }, 'BOUNCE_MAILBOX has no effect'],
  [
    { BOUNCE_ADDRESS: 'bounces@readwell.co.uk', BOUNCE_MAILBOX: 'imap://bounces:ash-rope@mail.readwell.co.uk' },
    'BOUNCE_MAILBOX sends its password',
  ],
  [{ SMTP_URL: '' }, 'SMTP_URL is not set'],
  [{ SMTP_URL: 'smtps://mail.readwell.co.uk' }, 'SMTP_URL has no user and password'],
  [
    { SMTP_URL: 'smtp://office:ash-rope@mail.readwell.co.uk:587' },
    'SMTP_URL sends emails and its password without TLS',
  ],
  [{ SMTP_URL: 'smtp://office:ash-rope@mail.readwell.co.uk:465' }, 'SMTP_URL has port 465'],
  [
    { STAGE: 'local', STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: '' },
    'STAGE is for development, but PUBLIC_URL is an https address',
  ],
  [{ STATIC_FILES_URL: 'http://files.readwell.co.uk' }, 'STATIC_FILES_URL is not https'],
  [{ STRIPE_API_URL: 'http://127.0.0.1:12111' }, 'STRIPE_API_URL is for tests'],
  [{ STRIPE_SECRET_KEY: 'sk_51HcK2' }, 'STRIPE_SECRET_KEY is neither a live nor a test key'],
  [{ STRIPE_WEBHOOK_SECRET: 'whsec_1' }, 'STRIPE_WEBHOOK_SECRET is shorter than a signing secret'],
  [{ TRUST_PROXY: '0.0.0.0/0' }, 'TRUST_PROXY trusts every address'],
  [{ TRUST_PROXY: '128.0.0.0/1, ::1' }, 'TRUST_PROXY trusts every address'],
];

test.each(ERRORS)('the settings %j prevent a start', (changes, issue) => {
  expect(check(changes).errors).toContain(issue);
});

test.each(WARNINGS)('the settings %j cause a warning', (changes, issue) => {
  const { errors, warnings } = check(changes);
  expect(warnings).toContain(issue);
  expect(errors).toBe('');
});

test('every rule of the settings has an example that breaks the rule', () => {
  const found = [...ERRORS, ...WARNINGS].flatMap(([changes]) => Object.values(check(changes)));
  const rules = [...COMMON_RULES, ...SERVER_RULES, ...COMPANY_RULES, ...OTHER_RULES];
  const unbroken = rules.filter(({ setting, text }) => !found.some((issues) => issues.includes(`${setting} ${text}`)));
  expect(unbroken.map(({ setting, text }) => `${setting} ${text}`)).toEqual([]);
});

test('no message about a setting repeats its value', () => {
  for (const [changes] of [...ERRORS, ...WARNINGS]) {
    const { errors, warnings } = check(changes);
    for (const [name, value] of Object.entries(changes))
      if (/KEY|SECRET|TOKEN|DATABASE|SMTP|BOUNCE|PROVIDERS/.test(name) && value.length > 5)
        expect(`${errors}\n${warnings}`).not.toContain(value.trim());
  }
});

describe('the demonstration in production', () => {
  test('the demonstration in production causes a warning and hides no other', () => {
    const { warnings } = check({ DEMO: 'on', BACKUP_DIR: '', LOG_LEVEL: 'silent' });
    expect(warnings.split('\n').map((line) => line.trim().split(' ')[0])).toEqual(['BACKUP_DIR', 'LOG_LEVEL', 'DEMO']);
  });

  test('the demonstration on a machine that no one else reaches causes no warning', () => {
    expect(checkValues({ DEMO: 'on' }, NOW)).toMatchObject({ errors: [], warnings: [] });
  });
});

test.each<Record<string, string>>([
  { SELLER_VAT_NUMBER: 'GB123456727' },
  { SELLER_VAT_NUMBER: 'IE 6388047V' },
  { SELLER_VAT_NUMBER: 'GBGD123' },
  { VAT_RATES: '2011-01-04=20,2030-01-01=22.5' },
  { SMTP_URL: 'smtp://office:ash-rope@mail.readwell.co.uk:587?requireTLS=true' },
  { DATABASE_URL: 'postgres://portal:9f2c41d0@db.readwell.co.uk/portal?sslmode=verify-full' },
  // Random texts contain short words; only whole ones are placeholders.
  { SECRETS_KEY: 'qxxxTODOZ0pVtK9wXcB4nHs8JdFgAe31fixmeR2/exampleQ+' },
  { SECRETS_KEY: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c' },
  { SELLER_NAME: '"Read" & "Well"' },
  { PUBLIC_URL: 'https://your-reading.co.uk' },
  { TRUST_PROXY: 'fc00::/7, 10.0.0.0/8', HOST: '0.0.0.0' },
])('the settings %j are accepted', (changes) => {
  expect(check(changes)).toEqual({ errors: '', warnings: '' });
});

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { checkValues, findCauseOfFailedStart } from './check-settings.ts';
import { formatIssues, readConfig } from './config.ts';
import { checkDatabase } from './setting-checks/check-database.ts';
import { findMailServerError } from './setting-checks/check-mail-server.ts';
import { settingNames } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'portal-config-'));
const file = join(folder, 'file');
writeFileSync(file, '');
const backups = join(folder, 'backups');
mkdirSync(backups);
afterAll(() => rmSync(folder, { recursive: true }));

/** A public key from age's own documentation. */
const RECIPIENT = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';

/** A complete file of settings for real schools. */
const PRODUCTION = {
  DATABASE_URL: 'postgres://portal:9f2c41d07be35a68@127.0.0.1:5432/portal',
  PUBLIC_URL: 'https://portal.readwell.co.uk',
  SECRETS_KEY: 'Yq7LrU2mZ0pVtK9wXcB4nHs8JdFgAe31',
  SMTP_URL: 'smtps://office:hunter-ash-rope@mail.readwell.co.uk:465',
  TRUST_PROXY: '127.0.0.1',
  DATA_DIR: join(folder, 'data'),
  BACKUP_DIR: backups,
  BACKUP_RECIPIENTS: RECIPIENT,
  CONTACT_EMAIL: 'office@readwell.co.uk',
  PRODUCT_NAME: 'Readwell',
  SELLER_NAME: 'Readwell Ltd',
  SELLER_ADDRESS: '1 High Street;Leeds;LS1 4AP',
  SELLER_VAT_NUMBER: 'GB 123 4567 82',
  BANK_ACCOUNT: 'Readwell Ltd;20-41-15;73920184',
};
const STRIPE = { STRIPE_SECRET_KEY: 'rk_live_51HcK2', STRIPE_WEBHOOK_SECRET: 'whsec_8sK2mVw0Qh3Ld9Zx' };
const NOW = new Date('2026-11-27T12:00:00Z');

/** Everything that a start reports about these settings without asking another server. */
function findIssues(environment: Record<string, string>): string {
  const { errors, warnings } = checkValues(environment, NOW);
  return formatIssues([...errors, ...warnings]);
}

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

const PROVIDER = {
  id: 'trust',
  name: 'Our trust',
  issuer: 'https://login.example',
  client_id: 'portal',
  client_secret: 'a-secret',
};
/** A list of providers, each changed. */
const providers = (...changes: object[]) => JSON.stringify(changes.map((change) => ({ ...PROVIDER, ...change })));

const WRONG: [Record<string, string>, string][] = [
  [{ PORT: '99999' }, 'PORT must be a whole number from 0 to 65535'],
  [{ PORT: 'abc' }, 'PORT must be a whole number'],
  [{ PORT: '0x10' }, 'PORT must be a whole number'],
  [{ PORT: ' ' }, 'PORT must be a whole number'],
  [{ HOST: 'http://portal.example' }, 'HOST must be an IP address or a host name'],
  [{ HOST: '127.0.0' }, 'HOST must be an IP address or a host name'],
  [{ HOST: '*' }, 'HOST must be an IP address or a host name'],
  [{ DATA_DIR: file }, 'DATA_DIR must be a folder'],
  [{ DATABASE_URL: 'mysql://127.0.0.1/portal' }, 'DATABASE_URL must be postgres://'],
  [{ DATABASE_URL: 'postgres:///' }, 'DATABASE_URL must be postgres://'],
  [{ DATABASE_URL: 'postgres://127.0.0.1' }, 'DATABASE_URL must be postgres://'],
  [{ DATABASE_URL: '127.0.0.1:5432/portal' }, 'DATABASE_URL must be postgres://'],
  [{ DATABASE_DIRECT_URL: 'mysql://127.0.0.1/portal' }, 'DATABASE_DIRECT_URL must be postgres://'],
  [{ DATABASE_DIRECT_URL: 'postgres://127.0.0.1/portal' }, 'DATABASE_DIRECT_URL belongs to DATABASE_URL'],
  [{ DATABASE_PREPARED_STATEMENTS: 'no' }, 'DATABASE_PREPARED_STATEMENTS must be on or off'],
  [{ ...PRODUCTION, DATABASE_PREPARED_STATEMENTS: 'off' }, 'DATABASE_DIRECT_URL is needed'],
  [{ DATABASE_POOL_SIZE: '1' }, 'DATABASE_POOL_SIZE must be a whole number from 2 to 200'],
  [{ ...PRODUCTION, PUBLIC_URL: '' }, 'PUBLIC_URL is required with DATABASE_URL'],
  [{ ...PRODUCTION, SECRETS_KEY: '' }, 'SECRETS_KEY is required with DATABASE_URL'],
  [
    { MICROSOFT_CLIENT_ID: 'x', MICROSOFT_CLIENT_SECRET: 'y' },
    'MICROSOFT_CLIENT_ID must be the application (client) ID',
  ],
  [
    { MICROSOFT_CLIENT_ID: '0f0f0f0f-1111-4222-8333-444444444444' },
    'MICROSOFT_CLIENT_SECRET belongs to MICROSOFT_CLIENT_ID: set both or neither',
  ],
  [{ GOOGLE_CLIENT_SECRET: 'y' }, 'GOOGLE_CLIENT_SECRET belongs to GOOGLE_CLIENT_ID'],
  [{ GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y' }, 'GOOGLE_CLIENT_ID must be the client ID of an app at Google'],
  [{ OIDC_PROVIDERS: 'trust' }, 'OIDC_PROVIDERS must be a JSON list'],
  [{ OIDC_PROVIDERS: '[{"id":"trust"}]' }, 'OIDC_PROVIDERS is wrong in entry 1: name is missing'],
  [{ OIDC_PROVIDERS: providers({ id: 'google' }) }, 'entry 1: id must not be microsoft or google'],
  [{ OIDC_PROVIDERS: providers({ issuer: 'login.example' }) }, 'entry 1: issuer must be an https address'],
  [{ OIDC_PROVIDERS: providers({ secret: 'x' }) }, 'entry 1: Unknown fields: secret'],
  [{ OIDC_PROVIDERS: providers({}, {}) }, 'OIDC_PROVIDERS must not use an id twice'],
  [{ OIDC_PROVIDERS: providers({ issuer: 'http://login.example' }) }, 'OIDC_PROVIDERS names an issuer without https'],
  [{ OIDC_PRIVATE_NETWORK: 'on' }, 'OIDC_PRIVATE_NETWORK must be off, except for tests'],
  [{ SECRETS_KEY: 'short' }, 'SECRETS_KEY must have at least 32 characters'],
  [{ SECRETS_KEY: `${'k'.repeat(32)},short` }, 'SECRETS_KEY must have at least 32 characters'],
  [{ ...PRODUCTION, PUBLIC_URL: 'http://portal.readwell.co.uk' }, 'PUBLIC_URL is not https'],
  [{ PUBLIC_URL: 'ftp://portal.example' }, 'PUBLIC_URL must be an http or https address'],
  [{ PUBLIC_URL: 'portal.example' }, 'PUBLIC_URL must be an http or https address'],
  [{ PUBLIC_URL: 'https://portal.example/school' }, 'PUBLIC_URL must be an http or https address without a path'],
  [{ PUBLIC_URL: 'https://portal.example?x=1' }, 'PUBLIC_URL must be an http or https address without a path'],
  [{ SMTP_URL: 'smtp.gmail.com' }, 'SMTP_URL must be smtp://'],
  [{ SMTP_URL: 'smtps://' }, 'SMTP_URL must be smtp://'],
  [{ SMTP_URL: 'https://mail.example' }, 'SMTP_URL must be smtp://'],
  [{ ...PRODUCTION, SMTP_URL: '' }, 'SMTP_URL is not set'],
  [{ SMPT_URL: 'smtp://mail.example' }, 'SMPT_URL is not a setting: do you mean SMTP_URL?'],
  [{ BACKUP_DIRECTORY: folder, BACKUPDIR: folder }, 'BACKUPDIR is not a setting: do you mean BACKUP_DIR?'],
  [{ Public_Url: 'https://portal.example' }, 'Public_Url is not a setting: do you mean PUBLIC_URL?'],
  [{ POTR: '80' }, 'POTR is not a setting: do you mean PORT?'],
  [{ DEMO: 'yes' }, 'DEMO must be on or off'],
  [{ ADMIN_PANEL_URL: 'javascript:alert(1)' }, 'ADMIN_PANEL_URL must be an http or https address'],
  [{ CONTENT_URL: 'content.example' }, 'CONTENT_URL must be an http or https address'],
  [{ READER_APP_URL: 'file:///read' }, 'READER_APP_URL must be an http or https address'],
  [{ STATIC_FILES_URL: 'https://' }, 'STATIC_FILES_URL must be an http or https address'],
  [{ HIDE_ACCOUNTS: 'true' }, 'HIDE_ACCOUNTS must be on or off'],
  [{ CONTACT_EMAIL: 'office' }, 'CONTACT_EMAIL must be an email address'],
  [{ BOUNCE_MAILBOX: 'imaps://mail.readwell.co.uk' }, 'BOUNCE_MAILBOX must be imap://'],
  [{ SUPPORT_PHONE: 'call us' }, 'SUPPORT_PHONE must be a telephone number'],
  [{ TRUST_PROXY: 'banana' }, 'TRUST_PROXY must be IP addresses'],
  [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY must be IP addresses'],
  [{ TRUST_PROXY: 'true' }, 'TRUST_PROXY must be IP addresses'],
  [{ ...PRODUCTION, TRUST_PROXY: '0.0.0.0/0' }, 'TRUST_PROXY trusts every address'],
  [{ PRODUCT_NAME: 'Storylark <x@y.example>' }, 'PRODUCT_NAME must not contain <'],
  [{ PRODUCT_NAME: 'Story\nlark' }, 'PRODUCT_NAME must be one line'],
  [{ SELLER_NAME: ' ' }, 'SELLER_NAME must not be blank'],
  [{ BANK_ACCOUNT: 'foo' }, 'BANK_ACCOUNT must be NAME;SORT-CODE;NUMBER'],
  [{ ...PRODUCTION, BANK_ACCOUNT: '' }, 'BANK_ACCOUNT and STRIPE_SECRET_KEY are not set'],
  [{ VAT_RATES: '20%' }, 'VAT_RATES must be DAY=PERCENT'],
  [{ VAT_RATES: '2011-13-45=20' }, 'VAT_RATES must be DAY=PERCENT'],
  [{ VAT_RATES: '2011-01-04=20,2011-01-04=5' }, 'VAT_RATES must be DAY=PERCENT'],
  [{ STRIPE_SECRET_KEY: 'sk_live_1' }, 'STRIPE_WEBHOOK_SECRET belongs to STRIPE_SECRET_KEY'],
  [{ STRIPE_SECRET_KEY: 'pk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }, 'STRIPE_SECRET_KEY must be a secret key'],
  [{ STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRET: '1' }, 'STRIPE_WEBHOOK_SECRET must be the signing secret'],
  [{ NEW_STATISTICS: 'some' }, 'NEW_STATISTICS must be all or limited'],
  [{ HASH_COST: 'least' }, 'HASH_COST must be full'],
  [{ HASH_COST: 'least', STAGE: 'staging' }, 'HASH_COST must be full'],
  [{ HASH_COST: 'least', STAGE: 'development' }, 'HASH_COST must be full'],
  [{ DRAIN_SECONDS: '61' }, 'DRAIN_SECONDS must be a whole number from 0 to 60'],
  [{ MAX_EVENT_LOOP_DELAY: '-1' }, 'MAX_EVENT_LOOP_DELAY must be a whole number'],
  [{ BACKUP_DIR: join(folder, 'missing') }, 'BACKUP_DIR must be a folder that the portal may write to'],
  [{ BACKUP_DIR: file }, 'BACKUP_DIR must be a folder'],
  [{ ...PRODUCTION, BACKUP_DIR: '' }, 'BACKUP_DIR is not set'],
  [{ ...PRODUCTION, BACKUP_RECIPIENTS: '' }, "BACKUP_RECIPIENTS is not set: backups contain children's names"],
  [{ BACKUP_RECIPIENTS: `AGE-SECRET-KEY-1${'Q'.repeat(58)}` }, 'BACKUP_RECIPIENTS contains a secret key'],
  [{ BACKUP_RECIPIENTS: RECIPIENT.replace('ql3z', 'ql3y') }, 'BACKUP_RECIPIENTS must be public keys of age'],
  [{ BACKUP_RECIPIENTS: `${RECIPIENT};${RECIPIENT}` }, 'BACKUP_RECIPIENTS must be public keys of age'],
  [{ BACKUP_DIR: folder, BACKUP_HOOK: 'rclone' }, 'BACKUP_HOOK must be the absolute path of a program'],
  [{ BACKUP_DIR: folder, BACKUP_HOOK: file }, 'BACKUP_HOOK must be a program that the portal may run'],
  [{ BACKUP_DIR: folder, BACKUP_HOOK: folder }, 'BACKUP_HOOK must be a program'],
  [{ BACKUP_HOOK: '/usr/bin/true' }, 'BACKUP_HOOK belongs to BACKUP_DIR'],
  [{ BACKUP_DAYS: '0' }, 'BACKUP_DAYS must be a whole number from 1 to 3650'],
  [{ METRICS_PORT: '8080' }, 'METRICS_PORT must differ from PORT'],
  [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must have at least 16 characters'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address'],
  [{ STAGE: 'prod' }, 'STAGE must be production, staging, development or local'],
  [{ LOG_LEVEL: 'verbose' }, 'LOG_LEVEL must be trace'],
];

test.each(WRONG)('%j is reported', (environment, issue) => {
  expect(findIssues(environment)).toContain(issue);
});

test('each wrong setting is reported, not only the first', () => {
  expect(findIssues({ PORT: 'x', STAGE: 'x', STRIPE_SECRET_KEY: 'sk_1' }).split('\n')).toEqual([
    expect.stringContaining('PORT must'),
    expect.stringContaining('STAGE must'),
    expect.stringContaining('STRIPE_WEBHOOK_SECRET belongs'),
  ]);
});

test.each<Record<string, string>>([
  {},
  PRODUCTION,
  { ...PRODUCTION, ...STRIPE, BANK_ACCOUNT: '' },
  { ...PRODUCTION, TRUST_PROXY: '127.0.0.1, ::1,10.0.0.0/8, loopback', HOST: '0.0.0.0', METRICS_PORT: '9464' },
  { ...PRODUCTION, DATABASE_URL: 'postgresql:///portal?host=/run/postgresql', PUBLIC_URL: 'https://readwell.co.uk/' },
  // Containers reach each other by names without dots, in a network of their own.
  {
    ...PRODUCTION,
    DATABASE_URL: 'postgres://portal:9f2c41d07be35a68@postgres:5432/portal',
    SMTP_URL: 'smtp://mailpit:1025',
    TRUST_PROXY: 'uniquelocal',
    HOST: '0.0.0.0',
  },
  // A seller that is not registered for VAT.
  { ...PRODUCTION, SELLER_VAT_NUMBER: '', VAT_RATES: '2011-01-04=0' },
  { STAGE: 'staging', DEMO: 'off', PUBLIC_URL: 'http://portal.example' },
  { HOST: '::', PORT: '0', METRICS_PORT: '0', VAT_RATES: '2011-01-04=20, 2030-01-01=17.5' },
  // Variables of shells, service managers and containers.
  { HOME: '/', USER: 'portal', PATH: '/bin', LANG: 'C', SHLVL: '1', HOSTNAME: 'a', NODE_ENV: 'production', PWD: '/' },
])('%j has nothing to report', (environment) => {
  expect(findIssues(environment)).toBe('');
});

test('by default the portal is reachable from its own machine alone and hashes at full cost', () => {
  expect(readConfig({})).toMatchObject({ host: '127.0.0.1', hashCost: 'full', databasePoolSize: 10 });
});

test('a mail server that does not answer is reported', async () => {
  const port = await closedPort();
  expect(await findMailServerError(`smtp://127.0.0.1:${port}`)).toEqual([
    { setting: 'SMTP_URL', text: expect.stringContaining('ECONNREFUSED') },
  ]);
});

test('a database server that does not answer is reported', async () => {
  const port = await closedPort();
  const config = readConfig({ ...PRODUCTION, DATABASE_URL: `postgres://127.0.0.1:${port}/portal` });
  expect(await checkDatabase(config, { withKeys: true })).toEqual({
    errors: [{ setting: 'DATABASE_URL', text: expect.stringContaining('ECONNREFUSED') }],
    warnings: [],
  });
});

/** Runs a command of the portal to its end. */
async function run(command: string, environment: Record<string, string>): Promise<{ code: number; text: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, command)], {
    env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), PORT: '0', ...environment },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += String(chunk)));
  const code = await new Promise<number>((done) => child.once('close', done));
  return { code, text };
}

test('npm run config prints the settings in effect with secrets masked', async () => {
  const { code, text } = await run('commands/print-config.ts', {
    STRIPE_SECRET_KEY: 'sk_live_hidden',
    OIDC_PROVIDERS: providers({ client_secret: 'oidc-hidden' }),
    STRIPE_WEBHOOK_SECRET: 'whsec_hidden',
    METRICS_TOKEN: 'a-token-that-is-hidden',
    SMTP_URL: `smtp://office:hidden@127.0.0.1:${await closedPort()}`,
    SMPT_URL: 'x',
    PORT: '0',
  });
  expect(text).toMatch(/^PORT +0$/m);
  expect(text).toMatch(/^PUBLIC_URL +http:\/\/localhost:0 {2}\(default\)$/m);
  expect(text).toMatch(/^SMTP_URL +smtp:\/\/office:\*{5}@127\.0\.0\.1/m);
  expect(text).toMatch(/^ {2}SMPT_URL is not a setting/m);
  expect(text).toMatch(/^ {2}SMTP_URL names a mail server that cannot be used/m);
  expect(text).not.toContain('hidden');
  expect(code).toBe(0);
});

test('npm run config ends with 1 when a setting is wrong, and still masks secrets', async () => {
  const { code, text } = await run('commands/print-config.ts', {
    STAGE: 'prod',
    DATABASE_URL: 'postgres://a:hidden@b/c',
  });
  expect(text).toContain('STAGE must be production');
  expect(text).not.toContain('hidden');
  expect(code).toBe(1);
});

test('the portal does not start with a backup folder that does not exist', async () => {
  const { code, text } = await run('main.ts', { BACKUP_DIR: join(folder, 'missing') });
  expect(text).toContain('BACKUP_DIR must be a folder that the portal may write to');
  expect(code).toBe(1);
  expect(existsSync(join(folder, 'data'))).toBe(false);
});

test.each([
  [{ code: 'EADDRINUSE', port: 8080 }, 'PORT'],
  [{ code: 'EADDRINUSE', port: 9464 }, 'METRICS_PORT'],
  [{ code: 'EADDRNOTAVAIL', port: 8080 }, 'HOST'],
])('%j while starting to listen is blamed on %s', (details, setting) => {
  const error = Object.assign(new Error('listen'), { syscall: 'listen', ...details });
  expect(findCauseOfFailedStart(error, readConfig({ METRICS_PORT: '9464' }))?.setting).toBe(setting);
});

test.each([
  ['ECONNREFUSED', 'DATABASE_URL'],
  ['28P01', 'DATABASE_URL'],
  ['3D000', 'DATABASE_URL'],
  ['42P01', undefined],
])('a start that failed with %s is blamed on %s', (code, setting) => {
  const error = Object.assign(new Error('no'), { code });
  expect(findCauseOfFailedStart(error, readConfig(PRODUCTION))?.setting).toBe(setting);
});

const template = inject('template');
if (template.kind === 'server')
  test('a database that does not exist is named by npm run config', async () => {
    const url = new URL(template.url);
    url.pathname = '/no_such_database';
    const { code, text } = await run('commands/print-config.ts', { DATABASE_URL: url.href, STAGE: 'local' });
    expect(text).toContain('DATABASE_URL names a database that cannot be used: database "no_such_database"');
    expect(code).toBe(1);
  });

test('docs/settings.md describes every setting', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/settings.md'), 'utf8');
  expect(settingNames.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('a portal serves for six seconds after its signal to stop, and not at all with the embedded database', () => {
  expect(readConfig(PRODUCTION).drainMs).toBe(6000);
  expect(readConfig({}).drainMs).toBe(0);
  expect(readConfig({ DRAIN_SECONDS: '20' }).drainMs).toBe(20_000);
});

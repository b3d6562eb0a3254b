// What valid settings mean for the machine, its network and other servers, as far as the settings themselves show it.
import { isAbsolute, relative } from 'node:path';
import { error, isHttps, isPlainHttp, type Rule, warning } from './rule.ts';
import {
  areLoopbackProxies,
  asksForTls,
  hasWellKnownPassword,
  hostOf,
  isLoopback,
  isNearby,
  isReservedHost,
  isWeakKey,
  trustsEveryone,
} from './setting-values.ts';

/** The longest time for which the privacy policy promises that backups are stored. */
const PROMISED_BACKUP_DAYS = 35;
const MIN_BACKUP_DAYS = 7;
const MIN_EVENT_LOOP_DELAY_MS = 100;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const isInside = (folder: string, parent: string) => !/^\.\.(\/|$)/.test(relative(parent, folder));
const databaseName = (url: string | undefined) => url && new URL(url).pathname.slice(1);
const isRemote = (url: string | undefined) => hostOf(url) !== '' && !isNearby(hostOf(url));

/** Settings with the address of a page or file that browsers load or open. */
const BROWSER_URLS = [
  'ADMIN_PANEL_URL',
  'CONTENT_URL',
  'ENQUIRY_FORM_URL',
  'READER_APP_URL',
  'STATIC_FILES_URL',
] as const;
/** Settings with a host or an email address. */
const HOST_SETTINGS = [
  ...BROWSER_URLS,
  ...([
    'BOUNCE_ADDRESS',
    'BOUNCE_MAILBOX',
    'CONTACT_EMAIL',
    'DATABASE_DIRECT_URL',
    'DATABASE_URL',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
  ] as const),
  ...(['PUBLIC_URL', 'SMTP_URL', 'SUPPORT_EMAIL'] as const),
];

/** Rules about the machine, its network and other servers. Ordered by setting. */
export const SERVER_RULES: readonly Rule[] = [
  ...HOST_SETTINGS.map((name) =>
    error(name, 'has a host that exists only in examples: replace it with your own', ({ given }) =>
      isReservedHost(hostOf(given[name])),
    ),
  ),
  ...BROWSER_URLS.map((name) =>
    warning(
      name,
      'is not https, so browsers block it or warn on pages of an https PUBLIC_URL: use https',
      (subject) => isHttps(subject.config.publicUrl) && isPlainHttp(subject.given[name]),
    ),
  ),
  warning(
    'BACKUP_DAYS',
    'has no effect without BACKUP_DIR: set the folder too',
    ({ isSet }) => isSet('BACKUP_DAYS') && !isSet('BACKUP_DIR'),
  ),
  warning(
    'BACKUP_DAYS',
    `is more than the ${PROMISED_BACKUP_DAYS} days that the privacy policy promises: set at most ${PROMISED_BACKUP_DAYS}, or change content/legal/privacy.md`,
    ({ config }) => config.backupDays > PROMISED_BACKUP_DAYS,
  ),
  warning(
    'BACKUP_DAYS',
    'is less than a week: damage that is found late has no backup from before it. Set at least 7',
    ({ config }) => config.backupDays < MIN_BACKUP_DAYS,
  ),
  warning(
    'BACKUP_DIR',
    'is not set: no backup is made at night',
    ({ config }) => config.databaseUrl && !config.backupDir,
  ),
  warning(
    'BACKUP_DIR',
    'is not an absolute path, so it depends on the folder in which the portal starts: begin it with /',
    ({ given }) => given.BACKUP_DIR && !isAbsolute(given.BACKUP_DIR),
  ),
  error(
    'BACKUP_DIR',
    'is the same folder as DATA_DIR: choose another, best on another disk',
    ({ config }) => config.backupDir === config.dataDir,
  ),
  warning(
    'BACKUP_DIR',
    'and DATA_DIR are inside each other, so that one mistake deletes both: choose separate folders, best on separate disks',
    ({ config: { backupDir, dataDir } }) =>
      backupDir !== undefined &&
      backupDir !== dataDir &&
      (isInside(backupDir, dataDir) || isInside(dataDir, backupDir)),
  ),
  warning(
    'BACKUP_RECIPIENTS',
    "is not set: backups contain children's names and are not encrypted. Make a key on another machine with age-keygen and set its public key",
    ({ config: { backupDir, backupRecipients } }) => backupDir !== undefined && backupRecipients.length === 0,
  ),
  warning(
    'BOUNCE_ADDRESS',
    'has no effect without BOUNCE_MAILBOX, which reads what comes back: set both',
    ({ isSet }) => isSet('BOUNCE_ADDRESS') && !isSet('BOUNCE_MAILBOX'),
  ),
  warning(
    'BOUNCE_MAILBOX',
    'has no effect without BOUNCE_ADDRESS, to which mail servers return emails: set both',
    ({ isSet }) => isSet('BOUNCE_MAILBOX') && !isSet('BOUNCE_ADDRESS'),
  ),
  warning(
    'BOUNCE_MAILBOX',
    'sends its password to another machine without TLS: use imaps://',
    ({ given: { BOUNCE_MAILBOX: mailbox } }) => mailbox?.startsWith('imap:') && isRemote(mailbox),
  ),
  error(
    'DATABASE_DIRECT_URL',
    'is the same as DATABASE_URL, which DATABASE_PREPARED_STATEMENTS=off declares to be a pooler: name the server itself',
    ({ config }) => config.isDatabasePooled && config.databaseDirectUrl === config.databaseUrl,
  ),
  warning(
    'DATABASE_DIRECT_URL',
    'leads to another machine without TLS: add ?sslmode=verify-full',
    ({ config: { databaseDirectUrl } }) =>
      databaseDirectUrl && isRemote(databaseDirectUrl) && !asksForTls(databaseDirectUrl),
  ),
  warning(
    'DATABASE_URL',
    'is not set: the embedded database is for trying. It has no backups, and a power cut can damage it. Use a PostgreSQL server for real schools',
    ({ config }) => !config.databaseUrl,
  ),
  warning('DATABASE_URL', 'has a password that everyone tries first: change it', ({ config }) =>
    hasWellKnownPassword(config.databaseUrl),
  ),
  warning(
    'DATABASE_URL',
    'leads to another machine without TLS: add ?sslmode=verify-full',
    ({ config: { databaseUrl } }) => databaseUrl && isRemote(databaseUrl) && !asksForTls(databaseUrl),
  ),
  warning(
    'DATABASE_URL',
    'names a database that belongs to the server itself: create one for the portal',
    ({ config }) => ['postgres', 'template0', 'template1'].includes(databaseName(config.databaseUrl) ?? ''),
  ),
  warning(
    'DATA_DIR',
    'is not set, so files are in the folder of this release and the next one does not find them: set a folder of its own',
    ({ isSet, config }) => !isSet('DATA_DIR') && config.databaseUrl,
  ),
  warning(
    'DATA_DIR',
    'is not an absolute path, so it depends on the folder in which the portal starts: begin it with /',
    ({ isSet, given }) => isSet('DATA_DIR') && !isAbsolute(given.DATA_DIR),
  ),
  warning(
    'DRAIN_SECONDS',
    'is 0, so requests fail when a process stops behind a proxy: leave it out',
    ({ given, config }) => given.DRAIN_SECONDS === 0 && config.databaseUrl,
  ),
  warning(
    'HOST',
    'lets other machines call the portal, but TRUST_PROXY names only this machine: set HOST=127.0.0.1, or add the address of the proxy',
    ({ config: { host, trustProxy } }) => !isLoopback(host) && trustProxy && areLoopbackProxies(trustProxy),
  ),
  warning(
    'LOG_LEVEL',
    'is silent: nothing tells why a request failed. Use info',
    ({ config }) => config.logLevel === 'silent',
  ),
  warning('LOG_LEVEL', 'is for development and fills the disk: use info', ({ config }) =>
    ['trace', 'debug'].includes(config.logLevel),
  ),
  warning(
    'MAX_EVENT_LOOP_DELAY',
    'is 0, so an overloaded process accepts more work: leave it out',
    ({ given, config }) => given.MAX_EVENT_LOOP_DELAY === 0 && config.databaseUrl,
  ),
  warning(
    'MAX_EVENT_LOOP_DELAY',
    `is below ${MIN_EVENT_LOOP_DELAY_MS} ms, so requests are rejected without load: leave it out`,
    ({ config: { maxEventLoopDelayMs } }) => maxEventLoopDelayMs > 0 && maxEventLoopDelayMs < MIN_EVENT_LOOP_DELAY_MS,
  ),
  warning(
    'METRICS_HOST',
    'has no effect without METRICS_PORT: set the port too',
    ({ isSet }) => isSet('METRICS_HOST') && !isSet('METRICS_PORT'),
  ),
  warning(
    'METRICS_HOST',
    'lets other machines read the metrics without a password: set METRICS_TOKEN',
    ({ config: { metricsHost, metricsPort, metricsToken } }) =>
      metricsPort !== undefined && !isLoopback(metricsHost) && !metricsToken,
  ),
  warning(
    'METRICS_PORT',
    'is 0, a port that the system chooses at each start: choose one',
    ({ config }) => config.metricsPort === 0,
  ),
  error(
    'METRICS_TOKEN',
    'can be guessed: make one with openssl rand -hex 24',
    ({ config }) => config.metricsToken && isWeakKey(config.metricsToken),
  ),
  warning(
    'MICROSOFT_CLIENT_SECRET',
    'looks like the ID of the secret: use its value, which Microsoft Entra shows once',
    ({ given }) => UUID.test(given.MICROSOFT_CLIENT_SECRET ?? ''),
  ),
  error('OIDC_PROVIDERS', 'names an issuer that exists only in examples: replace it with your own', ({ config }) =>
    config.signInProviders.some(({ issuer }) => isReservedHost(hostOf(issuer))),
  ),
  warning(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'sends traces to another machine without TLS: use https',
    ({ given }) => isPlainHttp(given.OTEL_EXPORTER_OTLP_ENDPOINT) && isRemote(given.OTEL_EXPORTER_OTLP_ENDPOINT),
  ),
  warning('PORT', 'is 0, a port that the system chooses at each start: choose one', ({ config }) => config.port === 0),
  warning(
    'PUBLIC_URL',
    'is not https: browsers send the session cookie unencrypted',
    ({ config: { publicUrl } }) => isPlainHttp(publicUrl) && !isLoopback(hostOf(publicUrl)),
  ),
  warning(
    'PUBLIC_URL',
    'leads only to this machine: links in emails work nowhere else. Set the address that schools open',
    ({ config }) => isLoopback(hostOf(config.publicUrl)),
  ),
  warning(
    'PUBLIC_URL',
    'has no domain name, so passkeys do not work and certificates are hard to obtain: use a name with a domain',
    ({ config: { publicUrl } }) =>
      !isLoopback(hostOf(publicUrl)) && (isNearby(hostOf(publicUrl)) || /^[\d.]+$|:/.test(hostOf(publicUrl))),
  ),
  error(
    'PUBLIC_URL',
    'has the port of the portal itself, which does not speak TLS: name the address of the proxy',
    ({ config: { publicUrl, port } }) => isHttps(publicUrl) && new URL(publicUrl).port === String(port),
  ),
  error(
    'SECRETS_KEY',
    'can be guessed, because it repeats a few characters: make one with openssl rand -base64 33',
    ({ config }) => config.secretsKeys.some(isWeakKey),
  ),
  warning(
    'SECRETS_KEY',
    'contains the same key twice: remove one',
    ({ config: { secretsKeys } }) => new Set(secretsKeys).size < secretsKeys.length,
  ),
  warning(
    'SECRETS_KEY',
    'is also METRICS_TOKEN: make another token',
    ({ config }) => config.metricsToken && config.secretsKeys.includes(config.metricsToken),
  ),
  warning(
    'SERVER_RENDERING',
    'is off: pages are slower, and no one can sign in with a provider. Turn it on when the emergency is over',
    ({ config }) => !config.hasServerRendering,
  ),
  warning(
    'SMTP_URL',
    'is not set: emails are written to DATA_DIR/outbox and reach no one',
    ({ config }) => !config.smtpUrl,
  ),
  warning(
    'SMTP_URL',
    'has no user and password, without which a mail server of another machine seldom accepts emails: add them',
    ({ config: { smtpUrl } }) => smtpUrl && isRemote(smtpUrl) && !new URL(smtpUrl).username,
  ),
  warning(
    'SMTP_URL',
    'sends emails and its password without TLS where the server offers none: use smtps://, or add ?requireTLS=true',
    ({ config: { smtpUrl } }) =>
      smtpUrl?.startsWith('smtp:') && isRemote(smtpUrl) && new URL(smtpUrl).searchParams.get('requireTLS') !== 'true',
  ),
  warning(
    'SMTP_URL',
    'has port 465, which expects TLS from the start: use smtps://',
    ({ config: { smtpUrl } }) => smtpUrl?.startsWith('smtp:') && new URL(smtpUrl).port === '465',
  ),
  error(
    'TRUST_PROXY',
    'is required with an https PUBLIC_URL: set the address of the proxy, such as 127.0.0.1. Without it one visitor’s wrong passwords lock out everyone',
    ({ config }) => isHttps(config.publicUrl) && !config.trustProxy,
  ),
  warning(
    'TRUST_PROXY',
    'trusts every address: any visitor can choose the address that rate limits count',
    ({ config: { trustProxy } }) => trustProxy && trustsEveryone(trustProxy),
  ),
];

import { isAbsolute, resolve } from 'node:path';
import { parseSettings, type SettingIssue, type Settings } from './settings.ts';
import { readSignInProviders, type SignInProvider } from './sign-in-settings.ts';

/** The seller on invoices, and how invoices are paid. */
export interface Seller {
  name: string;
  /** One entry per line. */
  address: string[];
  vatNumber: string | undefined;
  /** The account for bank transfers. */
  bankAccount: { name: string; sort_code: string; number: string } | undefined;
  /** VAT rates in hundredths of a percent, each valid from its day; the earliest first. */
  vatRates: { from: string; rate: number }[];
}

/** Card payments; tests set their own API. */
export interface StripeConfig {
  secretKey: string;
  webhookSecret: string;
  apiUrl: string | undefined;
}

/** The settings from the environment. docs/settings.md lists them. */
export interface Config {
  port: number;
  /** The address on which `port` is opened. */
  host: string;
  dataDir: string;
  databaseUrl: string | undefined;
  /** The server itself, where `databaseUrl` names a pooler: for migrations and backups. */
  databaseDirectUrl: string | undefined;
  /** `databaseUrl` names a pooler in transaction mode. */
  isDatabasePooled: boolean;
  /** The maximum number of connections that this process opens to the PostgreSQL server. */
  databasePoolSize: number;
  publicUrl: string;
  smtpUrl: string | undefined;
  /** The address to which mail servers return mails, and the mailbox in which they arrive. */
  bounces: { address: string; mailbox: string } | undefined;
  demo: boolean;
  adminPanelUrl: string;
  contentUrl: string | undefined;
  /** Replies to password resets and registrations do not reveal whether an account exists. */
  hideAccounts: boolean;
  /** The server renders pages for logged-in users. */
  hasServerRendering: boolean;
  /** The address that receives contact requests. */
  contactEmail: string;
  /** How schools reach support. */
  support: { email: string; phone: string | undefined };
  /** A form on another site, shown in a frame instead of our own. */
  enquiryFormUrl: string | undefined;
  /** The address of templates, certificates and videos outside the portal; without it this server provides them. */
  staticFilesUrl: string | undefined;
  trustProxy: string | undefined;
  productName: string;
  /** The URL and name of the app in which children log in, for login cards. It is never the portal itself. */
  readingApp: { url: string | undefined; name: string | undefined };
  seller: Seller;
  /** The keys of `SECRETS_KEY`, the newest first; without any, the key is in the data folder. */
  secretsKeys: string[];
  /** The services with which users can sign in. */
  signInProviders: SignInProvider[];
  /** Providers may have private addresses and no TLS; rejected when the stage is `production`. */
  allowsPrivateProviders: boolean;
  /** Without it invoices are paid only by bank transfer. */
  stripe: StripeConfig | undefined;
  /** The cost of hashing a password; `least`, for tests, is rejected unless the stage is `local`. */
  hashCost: 'full' | 'least';
  /** Which schools have the new statistics: all, or those that `hasNewStatistics` lists. */
  newStatistics: 'all' | 'limited';
  /** The event loop delay, in milliseconds, above which new requests are answered 503; 0 for no limit. */
  maxEventLoopDelayMs: number;
  /** How long the process serves after its signal to stop, while its health answers 503, in milliseconds. */
  drainMs: number;
  /** The folder of the nightly backups; without it there are none. */
  backupDir: string | undefined;
  /** The number of days for which backups are retained. */
  backupDays: number;
  /** Each week a backup is restored to a scratch database on the server. */
  hasRestoreTest: boolean;
  /** The public keys for whose owners backups are encrypted; without any they are not. */
  backupRecipients: string[];
  /** A program that takes backups to another place. */
  backupHook: string | undefined;
  /** The port of `GET /metrics`; without it they are on `port`, for callers with the token. */
  metricsPort: number | undefined;
  /** The address that `metricsPort` listens on. */
  metricsHost: string;
  metricsToken: string | undefined;
  /** Traces of requests and jobs are sent to a collector. */
  isTraced: boolean;
  stage: 'production' | 'staging' | 'development' | 'local';
  logLevel: string;
}

const splitList = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);

function readBankAccount(text: string | undefined): Seller['bankAccount'] {
  const [name, sort_code, number] = splitList(text ?? '', ';');
  return name && sort_code && number ? { name, sort_code, number } : undefined;
}

export const formatIssues = (issues: readonly SettingIssue[]): string =>
  issues.map(({ setting, text }) => `  ${setting} ${text}`).join('\n');

/** Fills in the settings whose default depends on others. */
export function completeSettings(given: Settings) {
  const publicUrl = (given.PUBLIC_URL ?? `http://localhost:${given.PORT}`).replace(/\/+$/, '');
  const productSlug = given.PRODUCT_NAME.toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const contactEmail = given.CONTACT_EMAIL ?? `support@${productSlug || 'portal'}.example`;
  return {
    ...given,
    DATA_DIR: isAbsolute(given.DATA_DIR) ? given.DATA_DIR : resolve(given.DATA_DIR),
    PUBLIC_URL: publicUrl,
    DEMO: given.DEMO ?? (given.DATABASE_URL === undefined ? 'on' : 'off'),
    ADMIN_PANEL_URL: given.ADMIN_PANEL_URL ?? `${publicUrl}/admin`,
    CONTACT_EMAIL: contactEmail,
    SUPPORT_EMAIL: given.SUPPORT_EMAIL ?? contactEmail,
    STATIC_FILES_URL: given.STATIC_FILES_URL?.replace(/\/+$/, ''),
    SELLER_NAME: given.SELLER_NAME ?? given.PRODUCT_NAME,
    // The embedded database runs in the process, so a delay says nothing about load.
    MAX_EVENT_LOOP_DELAY: given.MAX_EVENT_LOOP_DELAY ?? (given.DATABASE_URL ? 1000 : 0),
    // There is no proxy in front of a portal that someone tries out.
    DRAIN_SECONDS: given.DRAIN_SECONDS ?? (given.DATABASE_URL ? 6 : 0),
    BACKUP_DIR: given.BACKUP_DIR && resolve(given.BACKUP_DIR),
    // With the embedded database a person reads the terminal and needs only warnings.
    LOG_LEVEL: given.LOG_LEVEL ?? (given.DATABASE_URL ? 'info' : 'warn'),
  };
}

/** The configuration that valid settings describe. */
export function configOf(settings: Settings): Config {
  const data = completeSettings(settings);
  return {
    port: data.PORT,
    host: data.HOST,
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL,
    databaseDirectUrl: data.DATABASE_DIRECT_URL,
    isDatabasePooled: data.DATABASE_PREPARED_STATEMENTS === 'off',
    databasePoolSize: data.DATABASE_POOL_SIZE,
    publicUrl: data.PUBLIC_URL,
    smtpUrl: data.SMTP_URL,
    bounces:
      data.BOUNCE_ADDRESS && data.BOUNCE_MAILBOX
        ? { address: data.BOUNCE_ADDRESS, mailbox: data.BOUNCE_MAILBOX }
        : undefined,
    demo: data.DEMO === 'on',
    adminPanelUrl: data.ADMIN_PANEL_URL,
    contentUrl: data.CONTENT_URL,
    hideAccounts: data.HIDE_ACCOUNTS === 'on',
    hasServerRendering: data.SERVER_RENDERING === 'on',
    contactEmail: data.CONTACT_EMAIL,
    support: { email: data.SUPPORT_EMAIL, phone: data.SUPPORT_PHONE },
    enquiryFormUrl: data.ENQUIRY_FORM_URL,
    staticFilesUrl: data.STATIC_FILES_URL,
    trustProxy: data.TRUST_PROXY,
    productName: data.PRODUCT_NAME,
    readingApp: { url: data.READER_APP_URL, name: data.READER_APP_NAME },
    seller: {
      name: data.SELLER_NAME,
      address: splitList(data.SELLER_ADDRESS, ';'),
      vatNumber: data.SELLER_VAT_NUMBER,
      bankAccount: readBankAccount(data.BANK_ACCOUNT),
      vatRates: splitList(data.VAT_RATES, ',')
        .map((entry) => ({ from: entry.slice(0, 10), rate: Math.round(Number(entry.slice(11)) * 100) }))
        .sort((a, b) => (a.from < b.from ? -1 : 1)),
    },
    signInProviders: readSignInProviders(data),
    allowsPrivateProviders: data.OIDC_PRIVATE_NETWORK === 'on',
    secretsKeys: splitList(data.SECRETS_KEY ?? '', ','),
    stripe:
      data.STRIPE_SECRET_KEY && data.STRIPE_WEBHOOK_SECRET
        ? { secretKey: data.STRIPE_SECRET_KEY, webhookSecret: data.STRIPE_WEBHOOK_SECRET, apiUrl: data.STRIPE_API_URL }
        : undefined,
    hashCost: data.HASH_COST,
    newStatistics: data.NEW_STATISTICS,
    maxEventLoopDelayMs: data.MAX_EVENT_LOOP_DELAY,
    drainMs: data.DRAIN_SECONDS * 1000,
    backupDir: data.BACKUP_DIR,
    backupDays: data.BACKUP_DAYS,
    hasRestoreTest: data.RESTORE_TEST === 'on',
    backupRecipients: splitList(data.BACKUP_RECIPIENTS ?? '', ','),
    backupHook: data.BACKUP_HOOK,
    metricsPort: data.METRICS_PORT,
    metricsHost: data.METRICS_HOST,
    metricsToken: data.METRICS_TOKEN,
    isTraced: data.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    stage: data.STAGE,
    logLevel: data.LOG_LEVEL,
  };
}

/** Reads the settings. Throws an Error that names each invalid variable and states what it must be. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const { settings, issues } = parseSettings(environment);
  if (!settings) throw new Error(`Invalid settings:\n${formatIssues(issues)}`);
  return configOf(settings);
}

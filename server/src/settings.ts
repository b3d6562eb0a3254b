// Every setting of the portal and its valid values. docs/settings.md describes them.
// The messages of schemas without their own.
import '#contract/validation.ts';
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { Encrypter } from 'age-encryption';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { oidcProviders } from './sign-in-settings.ts';

const parseUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

const isWebUrl = (text: string): boolean => {
  const url = parseUrl(text);
  return /^https?:\/\//i.test(text) && Boolean(url?.hostname) && !url?.username && !url?.password;
};

const webUrl = (example: string) => z.string().refine(isWebUrl, `must be an http or https address, such as ${example}`);

/** An address without a path: links are built by appending one. */
const isOrigin = (text: string): boolean => {
  const url = parseUrl(text);
  return isWebUrl(text) && url?.pathname === '/' && !url.search && !url.hash;
};

function isDatabaseUrl(text: string): boolean {
  const url = parseUrl(text);
  const hasHost = Boolean(url?.hostname) || Boolean(url?.searchParams.get('host'));
  return /^postgres(ql)?:\/\//.test(text) && hasHost && (url?.pathname.length ?? 0) > 1;
}

const databaseUrl = z.string().refine(isDatabaseUrl, 'must be postgres://USER:PASSWORD@HOST:PORT/DATABASE');

const isSmtpUrl = (text: string): boolean => /^smtps?:\/\//.test(text) && Boolean(parseUrl(text)?.hostname);

function isImapUrl(text: string): boolean {
  const url = parseUrl(text);
  return /^imaps?:\/\//.test(text) && Boolean(url?.hostname) && Boolean(url?.username) && Boolean(url?.password);
}

const HOST_NAME = /^(?=.{1,253}$)[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/i;
const LOOKS_LIKE_IPV4 = /^[\d.]+$/;
const isHost = (text: string): boolean => isIP(text) > 0 || (HOST_NAME.test(text) && !LOOKS_LIKE_IPV4.test(text));
const listenHost = z
  .string()
  .refine(isHost, 'must be an IP address or a host name, such as 127.0.0.1, or 0.0.0.0 for every interface')
  .default('127.0.0.1');

const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal'];
const isProxyList = (text: string): boolean =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .every((entry) => isIP(entry) > 0 || ipaddr.isValidCIDR(entry) || PROXY_NAMES.includes(entry));

/** Plain digits only: `Number` also reads "0x10", "1e3" and a space. */
const integer = (min: number, max: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `must be a whole number from ${min} to ${max}`,
    )
    .transform(Number);

const choice = <const Values extends readonly [string, ...string[]]>(...values: Values) =>
  z.enum(values, `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`);

/** One line, as in the header of a mail. */
const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(max, `must have at most ${max} characters`)
    .refine((text) => !/\p{Cc}/u.test(text), 'must be one line');

const email = z.email('must be an email address, such as office@school.example');

const DAY = /^\d{4}-\d\d-\d\d$/;
const isDay = (text: string): boolean =>
  DAY.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;

function isVatRates(text: string): boolean {
  const entries = text.split(',').map((entry) => entry.trim().split('='));
  const days = entries.map(([day]) => day);
  return (
    new Set(days).size === days.length &&
    entries.every(
      ([day = '', rate = '', ...rest]) => isDay(day) && /^\d{1,2}(\.\d{1,2})?$/.test(rate) && rest.length === 0,
    )
  );
}

/** Debian's `age` cannot encrypt for other kinds of key. */
const RECIPIENT = /^age1[a-z0-9]{58}$/;

const MAX_RECIPIENTS = 10;

function isRecipient(text: string): boolean {
  try {
    new Encrypter().addRecipient(text);
    return RECIPIENT.test(text);
  } catch {
    return false;
  }
}

const isRecipientList = (text: string): boolean => {
  const recipients = text.split(',').map((entry) => entry.trim());
  return recipients.length <= MAX_RECIPIENTS && recipients.every(isRecipient);
};

/** Settings by name. A setting that is absent or empty has its default. */
export const settings = {
  PORT: integer(0, 65_535).default(8080),
  HOST: listenHost,
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_PREPARED_STATEMENTS: choice('on', 'off').default('on'),
  DATABASE_POOL_SIZE: integer(2, 200).default(10),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, 'must be an http or https address without a path, such as https://portal.example')
    .optional(),
  SMTP_URL: z
    .string()
    .refine(isSmtpUrl, 'must be smtp://USER:PASSWORD@HOST:PORT, or smtps:// for TLS from the start')
    .optional(),
  BOUNCE_ADDRESS: email.optional(),
  BOUNCE_MAILBOX: z
    .string()
    .refine(isImapUrl, 'must be imap://USER:PASSWORD@HOST:PORT/FOLDER, or imaps:// for TLS from the start')
    .optional(),
  DEMO: choice('on', 'off').optional(),
  ADMIN_PANEL_URL: webUrl('https://portal.example/admin').optional(),
  CONTENT_URL: webUrl('https://content.example').optional(),
  HIDE_ACCOUNTS: choice('on', 'off').default('off'),
  SERVER_RENDERING: choice('on', 'off').default('on'),
  CONTACT_EMAIL: email.optional(),
  SUPPORT_EMAIL: email.optional(),
  SUPPORT_PHONE: line(40).regex(/\d{3}/, 'must be a telephone number').optional(),
  ENQUIRY_FORM_URL: webUrl('https://forms.example/1').optional(),
  STATIC_FILES_URL: webUrl('https://files.example').optional(),
  TRUST_PROXY: z
    .string()
    .refine(
      isProxyList,
      `must be IP addresses, ranges such as 10.0.0.0/8, or ${PROXY_NAMES.join(', ')}, separated by commas`,
    )
    .optional(),
  PRODUCT_NAME: line(60)
    .regex(/^[^<>"]*$/, 'must not contain <, > or "')
    .default('Storylark'),
  READER_APP_URL: webUrl('https://read.example').optional(),
  READER_APP_NAME: line(60).optional(),
  SELLER_NAME: line(100).optional(),
  SELLER_ADDRESS: z.string().trim().max(400, 'must have at most 400 characters').default(''),
  SELLER_VAT_NUMBER: line(40).optional(),
  BANK_ACCOUNT: z
    .string()
    .regex(
      /^[^;]{1,60};\s*\d\d-\d\d-\d\d;\s*\d{8}\s*$/,
      'must be NAME;SORT-CODE;NUMBER, such as Storylark Ltd;20-00-00;12345678',
    )
    .optional(),
  VAT_RATES: z
    .string()
    .refine(isVatRates, 'must be DAY=PERCENT, separated by commas, such as 2011-01-04=20')
    .default('2011-01-04=20'),
  SECRETS_KEY: z
    .string()
    .regex(
      /^[\x21-\x2b\x2d-\x7e]{32,}(,[\x21-\x2b\x2d-\x7e]{32,})*$/,
      'must have at least 32 characters, without spaces; separate several with commas',
    )
    .optional(),
  MICROSOFT_CLIENT_ID: z.guid('must be the application (client) ID of the app in Microsoft Entra').optional(),
  MICROSOFT_CLIENT_SECRET: line(300).optional(),
  GOOGLE_CLIENT_ID: z
    .string()
    .regex(
      /^[\w.-]+\.apps\.googleusercontent\.com$/,
      'must be the client ID of an app at Google: it ends with .apps.googleusercontent.com',
    )
    .optional(),
  GOOGLE_CLIENT_SECRET: line(300).optional(),
  OIDC_PROVIDERS: oidcProviders.optional(),
  OIDC_PRIVATE_NETWORK: choice('on', 'off').default('off'),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_\w+$/, 'must be a secret key of Stripe: it begins with sk_ or rk_')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[\w+/=]+$/, 'must be the signing secret of a Stripe webhook: it begins with whsec_')
    .optional(),
  STRIPE_API_URL: webUrl('https://api.stripe.com').optional(),
  NEW_STATISTICS: choice('all', 'limited').default('all'),
  HASH_COST: choice('full', 'least').default('full'),
  MAX_EVENT_LOOP_DELAY: integer(0, 60_000).optional(),
  DRAIN_SECONDS: integer(0, 60).optional(),
  BACKUP_DIR: z.string().optional(),
  BACKUP_DAYS: integer(1, 3650).default(35),
  RESTORE_TEST: choice('on', 'off').default('on'),
  BACKUP_RECIPIENTS: z
    .string()
    .refine(
      (text) => !/AGE-SECRET-KEY-/i.test(text),
      'contains a secret key (AGE-SECRET-KEY-…): set the public key, which begins with age1, and store the secret one away from this machine',
    )
    .refine(
      isRecipientList,
      'must be public keys of age, which begin with age1 and have 62 characters, separated by commas',
    )
    .optional(),
  BACKUP_HOOK: z
    .string()
    .refine(
      (text) => isAbsolute(text),
      'must be the absolute path of a program, such as /usr/local/bin/portal-off-site',
    )
    .optional(),
  METRICS_PORT: integer(0, 65_535).optional(),
  METRICS_HOST: listenHost,
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 characters, without spaces')
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl('http://collector.example:4318').optional(),
  STAGE: choice('production', 'staging', 'development', 'local').default('production'),
  LOG_LEVEL: choice('trace', 'debug', 'info', 'warn', 'error', 'silent').optional(),
};

const schema = z.object(settings);
export type Settings = z.output<typeof schema>;
export type SettingName = keyof typeof settings;

export const settingNames = Object.keys(settings) as SettingName[];

/** A setting and what is wrong with it. */
export interface SettingIssue {
  setting: string;
  text: string;
}

/** Rules that concern two settings. */
function* checkCombinations(given: Partial<Record<SettingName, string>>): Generator<SettingIssue> {
  const stage = given.STAGE ?? 'production';
  if (given.HASH_COST === 'least' && stage !== 'local')
    yield { setting: 'HASH_COST', text: 'must be full, except for tests with STAGE=local' };
  if ((given.STRIPE_SECRET_KEY === undefined) !== (given.STRIPE_WEBHOOK_SECRET === undefined))
    yield { setting: 'STRIPE_WEBHOOK_SECRET', text: 'belongs to STRIPE_SECRET_KEY: set both or neither' };
  for (const name of ['MICROSOFT', 'GOOGLE'] as const)
    if ((given[`${name}_CLIENT_ID`] === undefined) !== (given[`${name}_CLIENT_SECRET`] === undefined))
      yield { setting: `${name}_CLIENT_SECRET`, text: `belongs to ${name}_CLIENT_ID: set both or neither` };
  const allowsPrivateNetwork = given.OIDC_PRIVATE_NETWORK === 'on';
  if (allowsPrivateNetwork && stage === 'production')
    yield {
      setting: 'OIDC_PRIVATE_NETWORK',
      text: 'must be off, except for tests and development with another STAGE than production',
    };
  if (!allowsPrivateNetwork && /"issuer"\s*:\s*"http:/i.test(given.OIDC_PROVIDERS ?? ''))
    yield { setting: 'OIDC_PROVIDERS', text: 'names an issuer without https' };
  if (stage === 'production' && given.DATABASE_URL && !given.PUBLIC_URL)
    yield {
      setting: 'PUBLIC_URL',
      text: 'is required with DATABASE_URL and STAGE=production: links in emails begin with it',
    };
  if (stage === 'production' && given.DATABASE_URL && !given.SECRETS_KEY)
    yield {
      setting: 'SECRETS_KEY',
      text: 'is required with DATABASE_URL and STAGE=production: it encrypts the secrets of second factors. Make one with openssl rand -base64 33',
    };
  if (given.DATABASE_DIRECT_URL && !given.DATABASE_URL)
    yield { setting: 'DATABASE_DIRECT_URL', text: 'belongs to DATABASE_URL: set both or neither' };
  if (given.DATABASE_PREPARED_STATEMENTS === 'off' && !given.DATABASE_DIRECT_URL)
    yield {
      setting: 'DATABASE_DIRECT_URL',
      text: 'is needed with DATABASE_PREPARED_STATEMENTS=off: the URL of the server itself, past the pooler',
    };
  if (given.BACKUP_HOOK && !given.BACKUP_DIR)
    yield { setting: 'BACKUP_HOOK', text: 'belongs to BACKUP_DIR: set both or neither' };
  if (given.METRICS_PORT && given.METRICS_PORT !== '0' && given.METRICS_PORT === (given.PORT ?? '8080'))
    yield { setting: 'METRICS_PORT', text: 'must differ from PORT' };
}

/** Parses the settings in an environment. Other variables are ignored. */
export function parseSettings(environment: Record<string, string | undefined>): {
  settings: Settings | undefined;
  issues: SettingIssue[];
} {
  const given = Object.fromEntries(
    settingNames.flatMap((name) => (environment[name] ? [[name, environment[name]] as const] : [])),
  );
  const { data, error } = schema.safeParse(given);
  const issues = [
    ...(error?.issues ?? []).map(({ path, message }) => ({ setting: path.join('.'), text: message })),
    ...checkCombinations(given),
  ];
  return { settings: issues.length > 0 ? undefined : data, issues };
}

const MASK = '*****';
const withoutPassword = (value: string): string => {
  const url = parseUrl(value);
  if (!url) return MASK;
  if (url.password) url.password = MASK;
  if (url.searchParams.has('password')) url.searchParams.set('password', MASK);
  return url.href;
};
const hidden = () => MASK;

/** How a secret is shown to people. */
const MASKS: Partial<Record<SettingName, (value: string) => string>> = {
  DATABASE_URL: withoutPassword,
  DATABASE_DIRECT_URL: withoutPassword,
  BOUNCE_MAILBOX: withoutPassword,
  SMTP_URL: withoutPassword,
  SECRETS_KEY: hidden,
  MICROSOFT_CLIENT_SECRET: hidden,
  GOOGLE_CLIENT_SECRET: hidden,
  OIDC_PROVIDERS: hidden,
  STRIPE_SECRET_KEY: hidden,
  STRIPE_WEBHOOK_SECRET: hidden,
  METRICS_TOKEN: hidden,
  // Only a value that is rejected contains a secret.
  BACKUP_RECIPIENTS: (value) => (/AGE-SECRET-KEY-/i.test(value) ? MASK : value),
};

/** A value that is safe to show: passwords, keys and tokens are masked. */
export const maskSetting = (name: SettingName, value: string): string => MASKS[name]?.(value) ?? value;

import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';

const setting = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
    DATA_DIR: z.string().default('./data'),
    DATABASE_URL: z.string().startsWith('postgres', 'begins with postgres://').optional(),
    PUBLIC_URL: z.url().optional(),
    SMTP_URL: z.string().startsWith('smtp', 'begins with smtp:// or smtps://').optional(),
    DEMO: z.enum(['on', 'off']).optional(),
    ADMIN_PANEL_URL: z.url().optional(),
    CONTENT_URL: z.url().optional(),
    HIDE_ACCOUNTS: z.enum(['on', 'off']).default('off'),
    DRAW_PAGES: z.enum(['on', 'off']).default('on'),
    CONTACT_EMAIL: z.email().optional(),
    SUPPORT_EMAIL: z.email().optional(),
    SUPPORT_PHONE: z.string().trim().min(1).max(40).optional(),
    ENQUIRY_FORM_URL: z
      .url({ protocol: /^https?$/, error: 'is an address such as https://forms.example/1' })
      .optional(),
    STATIC_FILES_URL: z.url({ protocol: /^https?$/, error: 'is an address such as https://files.example' }).optional(),
    TRUST_PROXY: z.string().optional(),
    PRODUCT_NAME: z.string().min(1).default('Storylark'),
    READER_APP_URL: z.url('is an address such as https://read.example').optional(),
    READER_APP_NAME: z.string().trim().min(1).max(60, 'has at most 60 characters').optional(),
    SELLER_NAME: z.string().trim().min(1).max(100).optional(),
    SELLER_ADDRESS: z.string().trim().max(400).default(''),
    SELLER_VAT_NUMBER: z.string().trim().min(1).max(40).optional(),
    BANK_ACCOUNT: z
      .string()
      .regex(
        /^[^;]{1,60};\s*\d\d-\d\d-\d\d;\s*\d{8}\s*$/,
        'is NAME;SORT-CODE;NUMBER, such as Storylark Ltd;20-00-00;12345678',
      )
      .optional(),
    VAT_RATES: z
      .string()
      .regex(
        /^\d{4}-\d\d-\d\d=\d{1,2}(\.\d{1,2})?(,\d{4}-\d\d-\d\d=\d{1,2}(\.\d{1,2})?)*$/,
        'is DAY=PERCENT, several with commas, such as 2011-01-04=20',
      )
      .default('2011-01-04=20'),
    STRIPE_SECRET_KEY: z.string().min(1).optional(),
    STRIPE_WEBHOOK_SECRET: z.string().min(1).optional(),
    STRIPE_API_URL: z.url().optional(),
    NEW_STATISTICS: z.enum(['all', 'limited']).default('all'),
    HASH_COST: z.enum(['full', 'least']).default('full'),
    MAX_EVENT_LOOP_DELAY: z.coerce.number().int().min(0).max(60_000).default(1000),
    BACKUP_DIR: z.string().min(1).optional(),
    BACKUP_DAYS: z.coerce.number().int().min(1).max(3650).default(35),
    METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
    METRICS_TOKEN: z.string().min(16, 'has at least 16 characters').optional(),
    OTEL_EXPORTER_OTLP_ENDPOINT: z
      .url({ protocol: /^https?$/, error: 'is an address such as http://collector.example:4318' })
      .optional(),
    STAGE: z.enum(['production', 'staging', 'development', 'local']).default('production'),
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional(),
  })
  .refine(({ HASH_COST, STAGE }) => HASH_COST === 'full' || STAGE === 'local', {
    path: ['HASH_COST'],
    message: 'is full, but for tests in the stage local',
  })
  .refine((given) => (given.STRIPE_SECRET_KEY === undefined) === (given.STRIPE_WEBHOOK_SECRET === undefined), {
    path: ['STRIPE_WEBHOOK_SECRET'],
    message: 'belongs to STRIPE_SECRET_KEY: set both or neither',
  });

/** Who sells, as invoices say it, and how they are paid. */
export interface Seller {
  name: string;
  /** A line each. */
  address: string[];
  vatNumber: string | undefined;
  /** Where bank transfers go. */
  bankAccount: { name: string; sort_code: string; number: string } | undefined;
  /** Rates of VAT in hundredths of a percent, each from its day on; the earliest first. */
  vatRates: { from: string; rate: number }[];
}

/** Payment by card; with an API of its own in tests. */
export interface StripeConfig {
  secretKey: string;
  webhookSecret: string;
  apiUrl: string | undefined;
}

/** What the environment decides. README.md lists it under "Settings". */
export interface Config {
  port: number;
  dataDir: string;
  databaseUrl: string | undefined;
  publicUrl: string;
  smtpUrl: string | undefined;
  demo: boolean;
  adminPanelUrl: string;
  contentUrl: string | undefined;
  /** Answers to a forgotten password do not tell whether there is an account. */
  hideAccounts: boolean;
  /** The server draws each page for whoever is signed in. */
  drawsPages: boolean;
  /** Where requests to be contacted go. */
  contactEmail: string;
  /** How schools reach the people who help them. */
  support: { email: string; phone: string | undefined };
  /** A form on another site, shown in a frame instead of our own. */
  enquiryFormUrl: string | undefined;
  /** Where the company keeps templates, certificates and videos outside the portal; without it they come from here. */
  staticFilesUrl: string | undefined;
  trustProxy: string | undefined;
  productName: string;
  /** Where children log in and what it is called, as login cards say it; never the portal's own address. */
  readingApp: { url: string | undefined; name: string | undefined };
  seller: Seller;
  /** Without it invoices are paid by bank transfer alone. */
  stripe: StripeConfig | undefined;
  /** What hashing a password costs; `least`, for tests, is refused but in the stage `local`. */
  hashCost: 'full' | 'least';
  /** Which schools have the new statistics: all, or those that `hasNewStatistics` lists. */
  newStatistics: 'all' | 'limited';
  /** Milliseconds by which the event loop may be late before new requests are refused with 503; 0 for any. */
  maxEventLoopDelayMs: number;
  /** Where a backup is put each night; none is made without it. */
  backupDir: string | undefined;
  /** How many days backups are kept. */
  backupDays: number;
  /** Where `GET /metrics` is answered; without it on `port`, to whoever has the token. */
  metricsPort: number | undefined;
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

/** Reads the settings. Throws an Error that names each wrong variable and says what it should be. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const { success, data, error } = setting.safeParse(given);
  if (!success)
    throw new Error(
      `Mend these settings:\n${error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`).join('\n')}`,
    );
  const publicUrl = (data.PUBLIC_URL ?? `http://localhost:${data.PORT}`).replace(/\/+$/, '');
  const contactEmail =
    data.CONTACT_EMAIL ??
    `support@${
      data.PRODUCT_NAME.toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '') || 'portal'
    }.example`;
  return {
    port: data.PORT,
    dataDir: isAbsolute(data.DATA_DIR) ? data.DATA_DIR : resolve(data.DATA_DIR),
    databaseUrl: data.DATABASE_URL,
    publicUrl,
    smtpUrl: data.SMTP_URL,
    demo: data.DEMO ? data.DEMO === 'on' : data.DATABASE_URL === undefined,
    adminPanelUrl: data.ADMIN_PANEL_URL ?? `${publicUrl}/admin`,
    contentUrl: data.CONTENT_URL,
    hideAccounts: data.HIDE_ACCOUNTS === 'on',
    drawsPages: data.DRAW_PAGES === 'on',
    contactEmail,
    support: { email: data.SUPPORT_EMAIL ?? contactEmail, phone: data.SUPPORT_PHONE },
    enquiryFormUrl: data.ENQUIRY_FORM_URL,
    staticFilesUrl: data.STATIC_FILES_URL?.replace(/\/+$/, ''),
    trustProxy: data.TRUST_PROXY,
    productName: data.PRODUCT_NAME,
    readingApp: { url: data.READER_APP_URL, name: data.READER_APP_NAME },
    seller: {
      name: data.SELLER_NAME ?? data.PRODUCT_NAME,
      address: splitList(data.SELLER_ADDRESS, ';'),
      vatNumber: data.SELLER_VAT_NUMBER,
      bankAccount: readBankAccount(data.BANK_ACCOUNT),
      vatRates: splitList(data.VAT_RATES, ',')
        .map((entry) => ({ from: entry.slice(0, 10), rate: Math.round(Number(entry.slice(11)) * 100) }))
        .sort((a, b) => (a.from < b.from ? -1 : 1)),
    },
    stripe:
      data.STRIPE_SECRET_KEY && data.STRIPE_WEBHOOK_SECRET
        ? { secretKey: data.STRIPE_SECRET_KEY, webhookSecret: data.STRIPE_WEBHOOK_SECRET, apiUrl: data.STRIPE_API_URL }
        : undefined,
    hashCost: data.HASH_COST,
    newStatistics: data.NEW_STATISTICS,
    maxEventLoopDelayMs: data.MAX_EVENT_LOOP_DELAY,
    backupDir: data.BACKUP_DIR && resolve(data.BACKUP_DIR),
    backupDays: data.BACKUP_DAYS,
    metricsPort: data.METRICS_PORT,
    metricsToken: data.METRICS_TOKEN,
    isTraced: data.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    stage: data.STAGE,
    // Beside the embedded database sits a person who reads the terminal.
    logLevel: data.LOG_LEVEL ?? (data.DATABASE_URL ? 'info' : 'warn'),
  };
}

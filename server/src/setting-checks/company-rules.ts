// What valid settings mean for the company and its customers.
import { error, type Rule, type Subject, warning } from './rule.ts';
import { hasVatCheckDigits, hostOf, isExampleNumber, isLoopback, isVatNumber } from './setting-values.ts';

/** The highest rate of VAT in Europe, in hundredths of a percent. */
const MAX_VAT_RATE = 2700;
const MIN_WEBHOOK_SECRET_LENGTH = 20;

const sells = ({ config }: Subject) => Boolean(config.seller.bankAccount ?? config.stripe);
const rateToday = ({ config, today }: Subject) => config.seller.vatRates.findLast(({ from }) => from <= today)?.rate;

/** Rules about the company, its product and how it is paid. Ordered by setting. */
export const COMPANY_RULES: readonly Rule[] = [
  warning('BANK_ACCOUNT', 'and STRIPE_SECRET_KEY are not set: invoices cannot be paid', (subject) => !sells(subject)),
  warning(
    'BANK_ACCOUNT',
    'looks like an example: schools would pay into it. Set the account of the seller',
    ({
      config: {
        seller: { bankAccount },
      },
    }) =>
      bankAccount &&
      (isExampleNumber(bankAccount.number) || isExampleNumber(bankAccount.sort_code.replaceAll('-', ''))),
  ),
  error(
    'CONTACT_EMAIL',
    'is required: screens and emails would show an address that does not exist. Set the address where schools reach you',
    ({ isSet, config }) => !isSet('CONTACT_EMAIL') && !isLoopback(hostOf(config.publicUrl)),
  ),
  warning(
    'DEMO',
    'is on: the demonstration schools have accounts, such as head@willowbank.example, whose password everyone knows. Set DEMO=off and begin with an empty database',
    ({ config }) => config.demo,
  ),
  warning(
    'PRODUCT_NAME',
    'is not set, so the portal is called Storylark on screens and invoices: set the name of your product',
    ({ isSet }) => !isSet('PRODUCT_NAME'),
  ),
  warning(
    'READER_APP_NAME',
    'has no effect without READER_APP_URL: set the address too',
    ({ config: { readingApp } }) => readingApp.name && !readingApp.url,
  ),
  error(
    'READER_APP_URL',
    'is the portal itself, where children cannot log in: name the app in which they read',
    ({ config }) => config.readingApp.url && new URL(config.readingApp.url).origin === new URL(config.publicUrl).origin,
  ),
  error(
    'SELLER_ADDRESS',
    'is required on invoices: set the lines of the address, separated by ;',
    (subject) => (sells(subject) || subject.config.seller.vatNumber) && subject.config.seller.address.length === 0,
  ),
  warning(
    'SELLER_NAME',
    'is not set, so invoices name the product as the seller: set the name of the company',
    (subject) => sells(subject) && !subject.given.SELLER_NAME,
  ),
  error(
    'SELLER_VAT_NUMBER',
    'is required on invoices with VAT: set it, or VAT_RATES=2011-01-04=0 if the seller is not registered',
    (subject) => sells(subject) && !subject.config.seller.vatNumber && (rateToday(subject) ?? 0) > 0,
  ),
  error(
    'SELLER_VAT_NUMBER',
    'must be GB and nine digits, or the number of another country with its two letters',
    ({ config: { seller } }) => seller.vatNumber && !isVatNumber(seller.vatNumber),
  ),
  warning(
    'SELLER_VAT_NUMBER',
    'has wrong check digits: compare it with the certificate of registration',
    ({ config: { seller } }) =>
      seller.vatNumber && isVatNumber(seller.vatNumber) && !hasVatCheckDigits(seller.vatNumber),
  ),
  warning(
    'STRIPE_API_URL',
    'is for tests: leave it out',
    ({ given }) => given.STRIPE_API_URL && hostOf(given.STRIPE_API_URL) !== 'api.stripe.com',
  ),
  error('STRIPE_SECRET_KEY', 'is a test key, with which schools do not pay: use the live key', ({ given }) =>
    /^[sr]k_test_/.test(given.STRIPE_SECRET_KEY ?? ''),
  ),
  warning(
    'STRIPE_SECRET_KEY',
    'is neither a live nor a test key: it begins with sk_live_ or rk_live_',
    ({ given }) => given.STRIPE_SECRET_KEY && !/^[sr]k_(live|test)_/.test(given.STRIPE_SECRET_KEY),
  ),
  warning(
    'STRIPE_WEBHOOK_SECRET',
    'is shorter than a signing secret: copy the whole of it from the webhook in Stripe’s dashboard',
    ({ given }) => given.STRIPE_WEBHOOK_SECRET && given.STRIPE_WEBHOOK_SECRET.length < MIN_WEBHOOK_SECRET_LENGTH,
  ),
  error(
    'VAT_RATES',
    'has no rate for today: begin with the rate that applies now, such as 2011-01-04=20',
    (subject) => rateToday(subject) === undefined,
  ),
  error(
    'VAT_RATES',
    `has a rate above ${MAX_VAT_RATE / 100} per cent, the highest in Europe: correct it`,
    ({ config: { seller } }) => seller.vatRates.some(({ rate }) => rate > MAX_VAT_RATE),
  ),
];

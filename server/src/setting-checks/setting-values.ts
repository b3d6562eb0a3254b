// What a value means by itself, for the rules in setting-rules.ts.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The host in a URL or email address, without the brackets of an IPv6 address. Empty for a socket, and without one. */
export function hostOf(address: string | undefined): string {
  if (address && URL.canParse(address)) return new URL(address).hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return /@([^@\s/]+)$/.exec(address ?? '')?.[1]?.toLowerCase() ?? '';
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  host === '::1' ||
  (isIP(host) === 4 && host.startsWith('127.'));

/** This machine, or a name without dots, such as that of a container in a network of its own. */
export const isNearby = (host: string): boolean => isLoopback(host) || (isIP(host) === 0 && !host.includes('.'));

/** Names that no one can register (RFC 2606): they are left over from an example. */
const RESERVED = /(^|\.)(example|test|invalid|example\.(com|net|org))$/;
export const isReservedHost = (host: string): boolean => RESERVED.test(host);

/** Texts of the documentation that stand for a value. Whole words: a random key contains any short text at some time. */
const PLACEHOLDER =
  /(?<![a-z\d])(change[-_ ]?(me|this)(-\d)?|replace[-_ ]?me|placeholder|to-?do|fix-?me|x{3,}|your[-_ ]?(domain|key|password|secret|name|user|host|company)|user:password|password-here)(?![a-z\d])|…|\.\.\.|<[a-z _-]+>/i;
const CAPITAL_PLACEHOLDER = /YOUR[-_][A-Z]|URL-OF-THE-/;
export const isPlaceholder = (value: string): boolean => PLACEHOLDER.test(value) || CAPITAL_PLACEHOLDER.test(value);

const WELL_KNOWN_PASSWORDS = [
  'password',
  'passwort',
  'postgres',
  'portal',
  'secret',
  'admin',
  'root',
  '123456',
  '12345678',
];

/** Whether the password in a URL is one that everyone tries first. */
export function hasWellKnownPassword(url: string | undefined): boolean {
  if (!url || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return password !== '' && (password === username || WELL_KNOWN_PASSWORDS.includes(password.toLowerCase()));
}

const MIN_DISTINCT_CHARACTERS = 8;
/** Whether a key was typed and not made at random: few characters, or a text that is repeated. */
export const isWeakKey = (key: string): boolean =>
  new Set(key).size < MIN_DISTINCT_CHARACTERS || /^(.{1,16})\1+$/.test(key);

/** Digits that were typed for an example: all the same, or counted up. */
export const isExampleNumber = (digits: string): boolean =>
  /^(\d)\1*$/.test(digits) || '0123456789'.includes(digits) || '9876543210'.includes(digits);

const compact = (text: string): string => text.replaceAll(/[\s.-]/g, '').toUpperCase();

/** A VAT number of the United Kingdom, or of another country with its two letters. */
export const isVatNumber = (text: string): boolean => {
  const number = compact(text);
  return (
    /^(GB|XI)?(\d{9}|\d{12})$/.test(number) ||
    /^(GB|XI)(GD|HA)\d{3}$/.test(number) ||
    (/^[A-Z]{2}[A-Z\d]{2,13}$/.test(number) && !/^(GB|XI)/.test(number))
  );
};

const WEIGHTS = [8, 7, 6, 5, 4, 3, 2];

/** Whether the check digits of a British VAT number are right. True for numbers without check digits. */
export function hasVatCheckDigits(text: string): boolean {
  const [, digits] = /^(?:GB|XI)?(\d{9})(?:\d{3})?$/.exec(compact(text)) ?? [];
  if (!digits) return true;
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  const total = sum + Number(digits.slice(7));
  // Numbers that were issued since 2010 have an offset.
  return total % 97 === 0 || (total + 55) % 97 === 0;
}

/** Whether every proxy in a list is this machine. */
export const areLoopbackProxies = (list: string): boolean =>
  list.split(',').every((entry) => {
    const [address = ''] = entry.trim().split('/');
    return address === 'loopback' || isLoopback(address);
  });

/** Whether a list of proxies contains most of the internet. */
export const trustsEveryone = (list: string): boolean =>
  list.split(',').some((entry) => {
    const text = entry.trim();
    if (!ipaddr.isValidCIDR(text)) return false;
    const [address, bits] = ipaddr.parseCIDR(text);
    return bits === 0 || (address.kind() === 'ipv4' && bits < 8);
  });

/** Whether a URL of PostgreSQL asks for TLS. */
export const asksForTls = (url: string): boolean =>
  ['require', 'verify-ca', 'verify-full'].includes(new URL(url).searchParams.get('sslmode') ?? '');

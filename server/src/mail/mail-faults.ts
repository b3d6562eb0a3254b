import { MAX_MAIL_FAULT } from '#contract/mail-delivery.ts';

/**
 * What to do about a mail that was not accepted. `server`: the mail server is away or accepts no mails at all; `passing`:
 * it may accept this mail later; `address`: the address does not exist; `ours`: it does not accept mails of ours; `mail`:
 * it will never accept this one.
 */
export type FaultKind = 'server' | 'passing' | 'address' | 'ours' | 'mail';

export interface MailFault {
  kind: FaultKind;
  /** The enhanced status, such as `5.1.1`; null if the server gave none. Source: RFC 3463. */
  code: string | null;
  /** The server's words, on one line. */
  words: string;
}

const UNAVAILABLE_CODES = new Set(['EAUTH', 'ECONNECTION', 'ECONNREFUSED', 'EDNS', 'ESOCKET', 'ETIMEDOUT', 'ETLS']);
/** The reply of a server that is shutting down. */
const SHUTTING_DOWN = 421;

/** The parts of the dialogue in which a server rejects this mail, and not every mail. */
const MAIL_COMMANDS = new Set(['RCPT TO', 'DATA']);

const ENHANCED = /\b([245]\.\d{1,3}\.\d{1,3})\b/;

/** The enhanced status in a reply of a mail server, such as `5.1.1`. */
export const statusIn = (reply: string): string | null => ENHANCED.exec(reply)?.[1] ?? null;

/** The server's words on one line, without the signs that a screen would not show. */
export const tidyWords = (words: string): string =>
  words
    .slice(0, 4 * MAX_MAIL_FAULT)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, MAX_MAIL_FAULT);

/**
 * What a permanent status says. 5.1.7 and 5.1.8 are about the sender, and a full mailbox (5.2.2) may have room later.
 * Every other 5.1.x and a disabled mailbox (5.2.1) are about the address.
 */
export function kindOfStatus(code: string | null): FaultKind {
  if (code === null) return 'mail';
  if (code === '5.2.2' || code.startsWith('4.')) return 'passing';
  if (code.startsWith('5.7.') || code === '5.1.7' || code === '5.1.8') return 'ours';
  return code.startsWith('5.1.') || code === '5.2.1' ? 'address' : 'mail';
}

/** What the error of a delivery says about the mail. Undefined for an error that is not about delivery. */
export function faultOf(error: unknown): MailFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, responseCode, response, command } = error as {
    code?: unknown;
    responseCode?: unknown;
    response?: unknown;
    command?: unknown;
  };
  const words = tidyWords(typeof response === 'string' ? response : error.message);
  if (UNAVAILABLE_CODES.has(String(code)) || responseCode === SHUTTING_DOWN)
    return { kind: 'server', code: null, words };
  if (typeof responseCode !== 'number') return undefined;
  const status = statusIn(words);
  const isFinal = responseCode >= 500 && MAIL_COMMANDS.has(String(command));
  return { kind: isFinal ? kindOfStatus(status) : 'passing', code: status, words };
}

import { type Attachment, simpleParser } from 'mailparser';
import { kindOfStatus, type MailFault, statusIn, tidyWords } from './mail-faults.ts';

/** A report that a mail was not delivered. */
export interface BounceReport {
  /** The keys that the report names; one of ours is among them if the mail was ours. */
  messageKeys: string[];
  fault: MailFault;
}

/** Header fields by their name in lower case, from text whose lines may be folded. Of equal names the first counts. */
function readFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon > 0 && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

/** The value of a field after its type: `smtp; 550 5.1.1 …`, `rfc822; a@b`. */
const afterType = (value: string): string => value.slice(value.indexOf(';') + 1).trim();

/**
 * The recipients in `message/delivery-status`: blocks of header lines with blank lines between them, the first about the
 * mail and each other one about a recipient. Source: RFC 3464.
 */
const readRecipients = (status: string): Map<string, string>[] =>
  status
    .split(/\r?\n(?:[ \t]*\r?\n)+/)
    .map(readFields)
    .filter((fields) => fields.has('final-recipient') || fields.has('original-recipient'));

const KEY = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;
/** A report names a few mails at most. */
const MAX_KEYS = 20;

/** The beginning of the part that has the headers of the original mail; what follows is the mail. */
const MAX_HEADERS = 64 * 1024;

const REPORT_TYPES = new Set(['message/delivery-status', 'message/global-delivery-status']);
const ORIGINAL_TYPES = new Set([
  'message/rfc822',
  'message/global',
  'text/rfc822-headers',
  'message/rfc822-headers',
  'message/global-headers',
]);

const textOf = ({ content }: Attachment, longest: number): string => content.subarray(0, longest).toString('utf8');

/** The headers at the beginning of a mail, from which its key is read. */
function readOriginalKeys(part: Attachment): string {
  const fields = readFields(textOf(part, MAX_HEADERS).split(/\r?\n\r?\n/)[0] ?? '');
  return ['x-mail-id', 'message-id', 'x-ms-exchange-parent-message-id'].map((name) => fields.get(name)).join(' ');
}

/**
 * Reads a mail from the mailbox for bounces. Undefined for one that is no report of a failed delivery: an answer of a
 * person, or a warning that a mail is late.
 */
export async function readBounce(source: Buffer): Promise<BounceReport | undefined> {
  const mail = await simpleParser(source, {
    keepDeliveryStatus: true,
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipImageLinks: true,
  });
  const status = mail.attachments.find(({ contentType }) => REPORT_TYPES.has(contentType));
  if (!status) return undefined;
  const failed = readRecipients(textOf(status, MAX_HEADERS)).find(
    (fields) => fields.get('action')?.toLowerCase() === 'failed',
  );
  if (!failed) return undefined;
  const named = [
    ...mail.attachments.filter(({ contentType }) => ORIGINAL_TYPES.has(contentType)).map(readOriginalKeys),
    mail.inReplyTo ?? '',
    ...[mail.references ?? []].flat(),
  ].join(' ');
  const messageKeys = [...new Set(named.toLowerCase().match(KEY))].slice(0, MAX_KEYS);
  const code = statusIn(failed.get('status') ?? '');
  const words = tidyWords(afterType(failed.get('diagnostic-code') ?? '') || (failed.get('status') ?? ''));
  // A status in the server's own words is more exact than that of the report: 5.0.0 beside “550 5.1.1”.
  const exact = code === null || /^5\.0\.0$/.test(code) ? (statusIn(words) ?? code) : code;
  return { messageKeys, fault: { kind: kindOfStatus(exact), code: exact, words } };
}

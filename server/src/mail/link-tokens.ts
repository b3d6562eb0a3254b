import type { MailLink } from '../database/column-types.ts';
import { digestSecret, type KeyConfig } from '../auth/secrets-key.ts';

const asUuid = (bytes: Buffer): string => {
  const hex = Buffer.from(bytes.subarray(0, 16));
  // The version and variant of a UUID that is not made from anything readable.
  hex[6] = ((hex[6] ?? 0) & 0x0f) | 0x80;
  hex[8] = ((hex[8] ?? 0) & 0x3f) | 0x80;
  return hex.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/**
 * The token of a mail's link. It follows from the mail, so that a mail that is sent twice, because the first reply of the
 * mail server was lost, has the same link in both copies.
 * @param messageKey the random key of the mail, which alone gives no token
 */
export function linkToken(config: KeyConfig, messageKey: string, kind: MailLink['kind']): string {
  const [bytes] = digestSecret(config, 'mail link', messageKey);
  return kind === 'invite' ? asUuid(bytes) : bytes.toString('base64url');
}

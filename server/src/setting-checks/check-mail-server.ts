import { createTransport } from 'nodemailer';
import type { SettingIssue } from '../settings.ts';

const ANSWER_TIMEOUT_MS = 5000;

/** Why the mail server cannot be used. It may be away for a while, so this does not prevent a start. */
export async function findMailServerError(smtpUrl: string | undefined): Promise<SettingIssue[]> {
  if (!smtpUrl) return [];
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: ANSWER_TIMEOUT_MS,
    greetingTimeout: ANSWER_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
  });
  try {
    await transport.verify();
    return [];
  } catch (error) {
    return [{ setting: 'SMTP_URL', text: `names a mail server that cannot be used: ${(error as Error).message}` }];
  } finally {
    transport.close();
  }
}

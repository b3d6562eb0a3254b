import type { BodyInputOf } from '#contract/call.ts';
import { contactCalls } from '#contract/calls/contact-us.ts';
import { helpCalls } from '#contract/calls/help.ts';
import type { CertificateId } from '#contract/certificates.ts';
import type { CertificateFor } from './model/certificate-for.ts';
import { call } from '../../../shared/api-client.ts';
import { download } from '../../../shared/download.ts';

/** Downloads certificates with names filled in as one PDF: for each pupil of a class, or for the class as a whole. */
export const downloadCertificates = (
  schoolId: number,
  recipient: CertificateFor,
  isForEach: boolean,
  query: {
    certificate: CertificateId;
    reason: string | null;
    date?: string | undefined;
  },
): Promise<void> =>
  download(
    helpCalls.renderCertificates.path,
    {
      params: { id: schoolId },
      query: {
        ...query,
        ...(recipient.kind === 'class'
          ? { group_id: recipient.id, for: isForEach ? 'readers' : 'group' }
          : recipient.kind === 'pupils'
            ? { reader_ids: recipient.ids.join(',') }
            : { reader_id: recipient.id }),
      },
    },
    'certificates.pdf',
  );

/** Sends a message to support. */
export const sendEnquiry = (body: BodyInputOf<typeof contactCalls.sendEnquiry>, idempotencyKey: string) =>
  call(contactCalls.sendEnquiry, { body, idempotencyKey });

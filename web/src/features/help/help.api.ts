import type { BodyInputOf } from '#contract/call.ts';
import { contactCalls } from '#contract/calls/contact-us.ts';
import { helpCalls } from '#contract/calls/help.ts';
import type { CertificateId } from '#contract/certificates.ts';
import type { CertificateFor } from './model/certificate-for.ts';
import { call } from '../../shared/api-client.ts';
import { download } from '../../shared/download.ts';

/** Fetches certificates with names filled in, as one PDF: of a class for each pupil, or for the class as a whole. */
export const downloadCertificates = (
  schoolId: number,
  whom: CertificateFor,
  isForEach: boolean,
  query: {
    certificate: CertificateId;
    reason: string | null;
    date?: string | undefined;
  },
): Promise<void> =>
  download(
    helpCalls.drawCertificates.path,
    {
      params: { id: schoolId },
      query: {
        ...query,
        ...(whom.kind === 'pupil'
          ? { reader_id: whom.id }
          : { group_id: whom.id, for: isForEach ? 'readers' : 'group' }),
      },
    },
    'certificates.pdf',
  );

/** Asks the company something. */
export const sendEnquiry = (body: BodyInputOf<typeof contactCalls.sendEnquiry>, idempotencyKey: string) =>
  call(contactCalls.sendEnquiry, { body, idempotencyKey });

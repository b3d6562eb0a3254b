import { certificateCalls } from '#contract/calls/certificates.ts';
import type { CertificateId } from '#contract/certificates.ts';
import { download } from '../../../shared/download.ts';

/** The recipient of a certificate. */
export type Recipient =
  | { kind: 'pupil'; id: number; name: string }
  | { kind: 'pupils'; ids: readonly number[]; name: string }
  /** `pupilCount`: the number of pupils in the class. */
  | { kind: 'class'; id: number; name: string; pupilCount?: number };

/** Downloads certificates with names filled in as one PDF: for each pupil of a class, or for the class as a whole. */
export const downloadCertificates = (
  schoolId: number,
  recipient: Recipient,
  isForEach: boolean,
  query: {
    certificate: CertificateId;
    reason: string | null;
    date?: string | undefined;
  },
): Promise<void> =>
  download(
    certificateCalls.renderCertificates.path,
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

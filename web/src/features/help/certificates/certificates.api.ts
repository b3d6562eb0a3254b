import { certificateCalls } from '#contract/calls/certificates.ts';
import type { CertificateId } from '#contract/certificates.ts';
import { download } from '../../../shared/download.ts';
import { callForPresent } from '../../../ui/present-pupils.ts';

/** The recipient of a certificate. */
export type Recipient =
  | { kind: 'pupil'; id: number; name: string }
  | { kind: 'pupils'; pupils: readonly { id: number; name: string }[]; name: string }
  /** `pupilCount`: the number of pupils in the class. */
  | { kind: 'class'; id: number; name: string; pupilCount?: number };

/** Downloads certificates with names filled in as one PDF: for each pupil of a class, or for the class as a whole. */
export async function downloadCertificates(
  schoolId: number,
  recipient: Recipient,
  isForEach: boolean,
  query: {
    certificate: CertificateId;
    reason: string | null;
    date?: string | undefined;
  },
): Promise<void> {
  const downloadFor = (who: Record<string, string | number>) =>
    download(
      certificateCalls.renderCertificates.path,
      { params: { id: schoolId }, query: { ...query, ...who } },
      'certificates.pdf',
    );
  if (recipient.kind === 'pupil') await downloadFor({ reader_id: recipient.id });
  else if (recipient.kind === 'class')
    await downloadFor({ group_id: recipient.id, for: isForEach ? 'readers' : 'group' });
  else
    await callForPresent(recipient.pupils, (present) =>
      downloadFor({ reader_ids: present.map(({ id }) => id).join(',') }),
    );
}

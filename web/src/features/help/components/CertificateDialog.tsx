import { lazy } from 'react';
import type { CertificateFor } from '../model/certificate-for.ts';
import { Dialog } from '../../../ui/Dialog.tsx';

const CertificateForm = lazy(() => import('./CertificateForm.tsx'));

interface Props {
  whom: CertificateFor;
  isOpen: boolean;
  onClose: () => void;
}

/** Makes certificates for a pupil, or for a class and its pupils. */
export const CertificateDialog = ({ whom, isOpen, onClose }: Props) => (
  <Dialog isOpen={isOpen} onClose={onClose} title={`Certificate for ${whom.name}`}>
    <CertificateForm whom={whom} onDone={onClose} />
  </Dialog>
);

import { Button } from '../../../../ui/Button.tsx';
import { lazy, useState } from 'react';
import type { Recipient } from '../certificates.api.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';

const CertificateForm = lazy(() => import('./CertificateForm.tsx'));

interface Props {
  recipient: Recipient;
  isOpen: boolean;
  onClose: () => void;
}

/** Creates certificates for a pupil, or for a class and its pupils. */
export const CertificateDialog = ({ recipient, isOpen, onClose }: Props) => (
  <Dialog isOpen={isOpen} onClose={onClose} title={`Certificate for ${recipient.name}`}>
    <CertificateForm recipient={recipient} onDone={onClose} />
  </Dialog>
);

/** Opens the dialog. */
export function CertificateButton({ recipient }: { recipient: Recipient }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Certificate
      </Button>
      <CertificateDialog recipient={recipient} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

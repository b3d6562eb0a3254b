import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Recipient } from '../certificates.api.ts';
import { CertificateDialog } from './CertificateDialog.tsx';

/** Creates a certificate for a pupil. */
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

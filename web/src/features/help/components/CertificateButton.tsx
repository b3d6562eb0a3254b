import { Button } from '@mantine/core';
import { useState } from 'react';
import type { CertificateFor } from '../model/certificate-for.ts';
import { CertificateDialog } from './CertificateDialog.tsx';

/** Makes a certificate for a pupil. */
export function CertificateButton({ whom }: { whom: CertificateFor }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Certificate
      </Button>
      <CertificateDialog whom={whom} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { CertificateFor } from '../model/certificate-for.ts';
import { Dialog } from '../../../ui/Dialog.tsx';

const CertificateForm = lazy(() => import('./CertificateForm.tsx'));

/** Makes certificates for a pupil, or for a class and its pupils. */
export function CertificateButton({ whom }: { whom: CertificateFor }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Certificate
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={`Certificate for ${whom.name}`}>
        <Suspense fallback={null}>
          <CertificateForm whom={whom} onDone={close} />
        </Suspense>
      </Dialog>
    </>
  );
}

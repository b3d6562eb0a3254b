import { Button } from '@mantine/core';
import { IconId } from '@tabler/icons-react';
import { useState } from 'react';
import { MakeLoginCards } from './MakeLoginCards.tsx';

/** For the child who stands there without a password. */
export function NewLoginCardButton({ pupil }: { pupil: { id: number; name: string } }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconId size={20} aria-hidden />} onClick={() => setOpen(true)}>
        New login card
      </Button>
      <MakeLoginCards pupils={[pupil]} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

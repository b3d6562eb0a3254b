import { Button } from '@mantine/core';
import { IconId } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useUpdateSearchParams } from '../../../shared/use-update-search-params.ts';
import { MakeLoginCards } from './MakeLoginCards.tsx';

/** For the child who stands there without a password. `?card=new` in the address asks at once: other pages lead here. */
export function NewLoginCardButton({ pupil }: { pupil: { id: number; name: string } }) {
  const [query] = useSearchParams();
  const update = useUpdateSearchParams();
  const [isOpen, setOpen] = useState(false);
  const isAsked = query.get('card') === 'new';
  useEffect(() => {
    if (!isAsked) return;
    setOpen(true);
    update({ card: null }, { replace: true });
  }, [isAsked, update]);
  return (
    <>
      <Button variant="default" leftSection={<IconId size={20} aria-hidden />} onClick={() => setOpen(true)}>
        New login card
      </Button>
      <MakeLoginCards pupils={[pupil]} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

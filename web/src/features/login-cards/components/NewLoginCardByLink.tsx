import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useUpdateSearchParams } from '../../../shared/use-update-search-params.ts';
import { MakeLoginCards } from './MakeLoginCards.tsx';

/** The dialog for a new card, which other pages open with `?card=new`. */
export function NewLoginCardByLink({ pupil }: { pupil: { id: number; name: string } }) {
  const [query] = useSearchParams();
  const update = useUpdateSearchParams();
  const [isOpen, setOpen] = useState(false);
  const isRequestedByUrl = query.get('card') === 'new';
  useEffect(() => {
    if (!isRequestedByUrl) return;
    setOpen(true);
    update({ card: null }, { replace: true });
  }, [isRequestedByUrl, update]);
  return <MakeLoginCards pupils={[pupil]} isOpen={isOpen} onClose={() => setOpen(false)} />;
}

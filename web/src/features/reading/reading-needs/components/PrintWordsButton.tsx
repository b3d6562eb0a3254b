import { Button } from '../../../../ui/Button.tsx';
import { IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import type { DayRange } from '../../../../ui/date-range.ts';
import type { WordSource } from './PrintWordsForm.tsx';
import { PrintWordsDialog } from './PrintWordsDialog.tsx';

/** Opens the dialog that prints words to practise. */
export function PrintWordsButton({ source, range }: { source: WordSource; range: DayRange }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconPrinter size={18} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Print words
      </Button>
      <PrintWordsDialog source={source} range={range} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

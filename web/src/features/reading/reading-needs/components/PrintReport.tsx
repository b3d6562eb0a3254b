import { Button } from '../../../../ui/Button.tsx';
import { IconPrinter } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { pupilProgressCalls } from '#contract/calls/pupil-progress.ts';
import { download } from '../../../../shared/download.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import type { DayRange } from '../../../../ui/date-range.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { progressInput } from '../reading-needs.api.ts';

/** Saves a page on one pupil's reading in some days, as a PDF for a parents' evening. */
export function PrintReport({ pupil, range }: { pupil: { id: number; name: string }; range: DayRange }) {
  const schoolId = useSchoolId();
  const file = useMutation({
    mutationFn: () => {
      const { params, query } = progressInput(schoolId, pupil.id, range);
      return download(
        pupilProgressCalls.getPupilProgress.path,
        { params, query: { ...query, output: 'pdf' } },
        `${pupil.name}.pdf`,
      );
    },
  });
  return (
    <>
      <Button
        variant="default"
        className="no-print"
        leftSection={<IconPrinter size={18} aria-hidden />}
        loading={file.isPending}
        onClick={() => file.mutate()}
      >
        Print for parents’ evening
      </Button>
      {file.error && <ErrorNotice error={file.error} />}
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { z } from 'zod';
import { checkLevelAges, readingLevelFields } from '#contract/calls/reading-levels.ts';
import { formatLevel, formatLevelAges, type ReadingLevel } from '#contract/reading-levels.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { type Column, DataTable, type RowModel } from '../../../ui/DataTable.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { NumberInput, TextInput } from '../../../ui/Field.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { levelsForOperatorsQuery, useUpdateReadingLevel } from '../../books/reading-levels/reading-levels.public.ts';
import { OperatorLayout } from './components/OperatorLayout.tsx';

/** The book bands and ages of the reading levels. */
export default function AdminLevelsPage() {
  return (
    <OperatorLayout>
      <Levels />
    </OperatorLayout>
  );
}

const BY_LEVEL: RowModel<ReadingLevel> = { key: ({ level }) => level, name: ({ level }) => formatLevel(level) };

function Levels() {
  const list = useQuery(levelsForOperatorsQuery());
  const [chosen, setChosen] = useState<ReadingLevel | null>(null);
  const columns = useMemo(() => columnsOf(setChosen), []);
  const closeDialog = () => setChosen(null);
  return (
    <>
      <PageHeader
        title="Levels"
        lead="Staff of all schools see the book band. With ages, they also see whether a pupil’s level is for their year group."
      />
      <DataTable
        label="Levels"
        columns={columns}
        rows={list.data?.levels}
        rowModel={BY_LEVEL}
        noun={['level', 'levels']}
        failure={list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        empty={<EmptyState title="No levels" />}
      />
      <Dialog
        isOpen={chosen !== null}
        onClose={closeDialog}
        title={chosen ? `Change level ${chosen.level}` : 'Change a level'}
      >
        {chosen && <LevelForm readingLevel={chosen} onClose={closeDialog} />}
      </Dialog>
    </>
  );
}

/** An empty field is no age. */
const ageOf = (typed: unknown) => (typed === '' ? null : typed);
const levelForm = z
  .object({
    book_band: readingLevelFields.shape.book_band,
    from_age: z.preprocess(ageOf, readingLevelFields.shape.from_age),
    to_age: z.preprocess(ageOf, readingLevelFields.shape.to_age),
  })
  .superRefine(checkLevelAges);

function LevelForm({ readingLevel, onClose }: { readingLevel: ReadingLevel; onClose: () => void }) {
  const { level, book_band: band, from_age: from, to_age: to } = readingLevel;
  const save = useUpdateReadingLevel(level);
  const form = useSchemaForm({
    schema: levelForm,
    initialValues: { book_band: band, from_age: from ?? '', to_age: to ?? '' },
  });
  const submit = form.onSubmit(async (body) => {
    await save.mutateAsync(body);
    showToast('Level saved');
    onClose();
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Save">
      <TextInput {...form.field('book_band')} label="Book band" autoComplete="off" data-autofocus />
      <NumberInput
        {...form.field('from_age')}
        label="From age"
        description="In whole years on 1 September: Reception is 4, Year 1 is 5. Leave both ages empty if there are none."
      />
      <NumberInput {...form.field('to_age')} label="To age" />
    </DialogForm>
  );
}

const columnsOf = (onChoose: (level: ReadingLevel) => void): Column<ReadingLevel>[] => [
  { id: 'level', header: 'Level', cell: ({ level }) => level },
  { id: 'band', header: 'Book band', cell: ({ book_band }) => book_band },
  { id: 'ages', header: 'Ages', isOneLine: true, cell: (level) => formatLevelAges(level) ?? 'Not entered' },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    cell: (level) => (
      <Button variant="default" aria-label={`Change level ${level.level}`} onClick={() => onChoose(level)}>
        Change
      </Button>
    ),
  },
];

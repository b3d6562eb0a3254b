import { Button } from '../../../../ui/Button.tsx';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import type { SubjectRequestDetails, SubjectText } from '#contract/calls/subject-requests.ts';
import { count, formatDate, listInWords } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { Chip } from '../../../../ui/Chip.tsx';
import { type Column, DataTable, type RowModel } from '../../../../ui/DataTable.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { useTableState } from '../../../../ui/use-table-state.ts';
import { partsOf } from '../model/black-out.ts';
import { pagedTable, textsQuery, useDecideText } from '../subject-access.api.ts';
import { BlackOutDialog } from './BlackOutDialog.tsx';
import css from './SubjectTexts.module.css';

const ROWS: RowModel<SubjectText> = {
  key: ({ kind, id }) => `${kind}-${id}`,
};

type Decision = NonNullable<SubjectText['decision']>;
const CHOICES: [Decision, string][] = [
  ['include', 'Include'],
  ['leave_out', 'Leave out'],
];
const DECIDED: Record<Decision, string> = { include: 'Included', leave_out: 'Left out' };

/** Tells apart buttons of notes that were written on the same day. */
const NAME_LENGTH = 60;
function nameOf({ text }: SubjectText): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > NAME_LENGTH ? `${line.slice(0, NAME_LENGTH).trimEnd()}…` : line;
}

interface Actions {
  onDecide: (text: SubjectText, decision: Decision) => void;
  onBlackOut: (text: SubjectText) => void;
}

const columnsOf = (actions: Actions | undefined): Column<SubjectText>[] => [
  {
    id: 'text',
    header: 'Text',
    cell: ({ text, names, blacked_out: passages }) => (
      <>
        <p className={css.text}>
          {partsOf(text, passages).map(({ from, text: part, isBlackedOut }) =>
            isBlackedOut ? (
              <del key={from} className={css.blackedOut}>
                {part}
              </del>
            ) : (
              part
            ),
          )}
        </p>
        {names.length > 0 && (
          <p className={css.names}>
            <Chip tone="attention">May name someone else: {listInWords(names)}</Chip>
          </p>
        )}
      </>
    ),
  },
  { id: 'kind', header: 'Kind', cell: ({ title }) => title },
  {
    id: 'written',
    header: 'Written',
    cell: ({ written_by: by, written_at: at }) => at && `${formatDate(at)}, ${by ?? 'a former member of staff'}`,
  },
  {
    id: 'decision',
    header: 'In the file',
    cell: (text) =>
      actions ? (
        <span className={css.choice}>
          {CHOICES.map(([decision, label]) => (
            <Button
              key={decision}
              variant={text.decision === decision ? 'filled' : 'default'}
              aria-pressed={text.decision === decision}
              aria-label={`${label}: ${nameOf(text)}`}
              onClick={() => actions.onDecide(text, decision)}
            >
              {label}
            </Button>
          ))}
          {text.decision === 'include' && (
            <Button
              variant="default"
              aria-label={`Black out words: ${nameOf(text)}`}
              onClick={() => actions.onBlackOut(text)}
            >
              Black out words
            </Button>
          )}
        </span>
      ) : (
        `${text.decision ? DECIDED[text.decision] : 'Undecided'}${text.blacked_out.length > 0 ? ', words blacked out' : ''}`
      ),
  },
];

/** The texts that staff wrote about the pupil. An admin includes each in the file, or leaves it out. */
export function SubjectTexts({ request, isOpen }: { request: SubjectRequestDetails; isOpen: boolean }) {
  const schoolId = useSchoolId();
  const controls = useTableState(pagedTable);
  const list = usePrefetchedQuery({
    ...textsQuery(schoolId, request.id, controls.tableState),
    placeholderData: keepPreviousData,
  });
  const decide = useDecideText(schoolId, request.id);
  const [blackingOut, setBlackingOut] = useState<SubjectText | null>(null);
  const { total, undecided, blacked_out: blackedOut } = request.texts;
  const toDo = isOpen
    ? `Read each text. Leave it out if it is about someone else, and releasing it would be unfair to them, or include it and black out some words. ${
        undecided === 0 ? 'All are decided.' : `${count(undecided, 'text')} to decide.`
      } `
    : '';
  return (
    <>
      <p>
        {total === 0
          ? 'Staff have written no notes about this pupil, and no tags are set.'
          : `${toDo}${blackedOut > 0 ? `Words are blacked out in ${count(blackedOut, 'text')}.` : ''}`}
      </p>
      {decide.error && <ErrorNotice error={decide.error} />}
      {total > 0 && (
        <DataTable
          label="Notes about the pupil"
          columns={columnsOf(
            isOpen
              ? {
                  onDecide: ({ kind, id }, decision) => decide.mutate({ kind, id, decision }),
                  onBlackOut: setBlackingOut,
                }
              : undefined,
          )}
          rows={list.data?.texts}
          rowModel={ROWS}
          pendingKey={decide.isPending ? `${decide.variables.kind}-${decide.variables.id}` : null}
          isStale={list.isPlaceholderData}
          controls={controls}
          total={list.data?.meta.total_filtered ?? 0}
          noun={['text', 'texts']}
          failure={list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
          empty="No texts"
          needsRoom
        />
      )}
      <BlackOutDialog
        text={blackingOut}
        onSave={({ kind, id }, passages) =>
          decide.mutateAsync({ kind, id, decision: 'include', blacked_out: passages })
        }
        onClose={() => setBlackingOut(null)}
      />
    </>
  );
}

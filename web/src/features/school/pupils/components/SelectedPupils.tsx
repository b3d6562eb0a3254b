import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_WORD_PUPILS } from '#contract/calls/hard-words.ts';
import { pupilProgressCalls } from '#contract/calls/pupil-progress.ts';
import { MAX_CERTIFICATES } from '#contract/calls/certificates.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import { MAX_PUPILS_WITH_BOOKS } from '#contract/limits.ts';
import { count } from '../../../../shared/format.ts';
import { download, saveText } from '../../../../shared/download.ts';
import { canReadDetails } from '../../../../shared/can.ts';
import { today } from '../../../../shared/school-day.ts';
import { useSchoolId, useUser } from '../../../../shared/session.ts';
import { ActionMenu, MenuButton } from '../../../../ui/ActionMenu.tsx';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { addDays } from '../../../../ui/date-range.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { DisabledReasonButton } from '../../../../ui/DisabledReasonButton.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../../ui/toasts.ts';
import { lazyDialog } from '../../../../ui/lazy-dialog.tsx';
import { AssignBooksDialog } from '../../../books/books/suggestions.public.ts';
import { CertificateDialog } from '../../../help/certificates/certificates.public.ts';
import { PrintWordsDialog } from '../../../reading/reading-needs/reading-needs.public.ts';
import { useSchool, WhileOpen } from '../../school/school.public.ts';
import { ResetPasswords } from '../../login-cards/login-cards.public.ts';
import { pupilsCsv } from '../model/pupils-csv.ts';
import { useReturnToClasses, useUnplacePupils } from '../pupils.api.ts';
import { DeletePupils } from './DeletePupils.tsx';

const MovePupils = lazyDialog(async () => (await import('./MovePupils.tsx')).MovePupils);

const TagDialog = lazyDialog(async () => (await import('./TagDialog.tsx')).TagDialog);

const NONE = 'Tick a pupil first.';

/** Words to practise and pages for parents cover the last six weeks, including today. */
const WORD_DAYS = 42;

interface Props {
  pupils: readonly Pupil[];
  /** The user may delete pupils. */
  isAdmin: boolean;
  /** Called after a change, to clear the selection. */
  onDone: () => void;
}

/** Actions for the selected pupils, who may be in different classes. */
export function SelectedPupils({ pupils, isAdmin, onDone }: Props) {
  const schoolId = useSchoolId();
  const user = useUser();
  const hasStatistics = useSchool()?.features.includes('new_statistics') ?? false;
  const [open, setOpen] = useState<
    'passwords' | 'books' | 'words' | 'certificates' | 'move' | 'tags' | 'remove' | 'delete' | null
  >(null);
  const unplace = useUnplacePupils(schoolId);
  const returnToClasses = useReturnToClasses(schoolId);
  const close = () => setOpen(null);
  const forbiddenCount = pupils.filter(({ can_update }) => !can_update).length;
  const notManaged =
    pupils.length === 0
      ? NONE
      : forbiddenCount > 0
        ? `${count(forbiddenCount, 'pupil is', 'pupils are')} in a class that you do not manage.`
        : undefined;
  const inClass = pupils.filter((pupil) => pupil.group);
  const withoutDetails = pupils.filter((pupil) => !canReadDetails(user, pupil)).length;
  const noWords =
    withoutDetails > 0
      ? `${count(withoutDetails, 'pupil is', 'pupils are')} not in a class that you manage.`
      : pupils.length > MAX_WORD_PUPILS
        ? `Choose at most ${MAX_WORD_PUPILS} pupils.`
        : undefined;

  const reports = useMutation({
    mutationFn: () =>
      download(
        pupilProgressCalls.downloadPupilReports.path,
        {
          params: { id: schoolId },
          query: {
            reader_ids: pupils.map(({ id }) => id).join(','),
            start_date: addDays(today(), 1 - WORD_DAYS),
            end_date: today(),
          },
        },
        'parents-evening.pdf',
      ),
  });

  const remove = async () => {
    await unplace.mutateAsync(inClass.map(({ id }) => id));
    showToast(DEFAULT_SUCCESS, {
      detail: `${count(inClass.length, 'pupil')} removed from ${inClass.length === 1 ? 'the class' : 'their classes'}`,
      undo: () => returnToClasses(inClass),
    });
    onDone();
  };

  return (
    <>
      <WhileOpen>
        <DisabledReasonButton
          variant="default"
          side="above"
          disabledReason={notManaged}
          onClick={() => setOpen('passwords')}
        >
          Reset Passwords
        </DisabledReasonButton>
        <DisabledReasonButton
          variant="default"
          side="above"
          disabledReason={notManaged}
          onClick={() => setOpen('move')}
        >
          Change Class
        </DisabledReasonButton>
      </WhileOpen>
      {pupils.length > 0 && hasStatistics && (
        <DisabledReasonButton variant="default" side="above" disabledReason={noWords} onClick={() => setOpen('words')}>
          Print words
        </DisabledReasonButton>
      )}
      {pupils.length > 0 && (
        <ActionMenu label="More actions for the selected pupils" text="More">
          <WhileOpen>
            <MenuButton
              disabledReason={
                notManaged ??
                (pupils.length > MAX_PUPILS_WITH_BOOKS ? `Choose at most ${MAX_PUPILS_WITH_BOOKS} pupils.` : undefined)
              }
              onClick={() => setOpen('books')}
            >
              Assign books
            </MenuButton>
            <MenuButton
              disabledReason={notManaged ?? (inClass.length === 0 ? 'None of them is in a class.' : undefined)}
              onClick={() => setOpen('remove')}
            >
              Remove from class
            </MenuButton>
          </WhileOpen>
          {hasStatistics && (
            <MenuButton disabledReason={noWords} onClick={() => reports.mutate()}>
              Pages for parents’ evening
            </MenuButton>
          )}
          <MenuButton
            disabledReason={pupils.length > MAX_CERTIFICATES ? `Choose at most ${MAX_CERTIFICATES} pupils.` : undefined}
            onClick={() => setOpen('certificates')}
          >
            Certificates
          </MenuButton>
          <MenuButton onClick={() => saveText('pupils.csv', 'text/csv', pupilsCsv(pupils))}>CSV</MenuButton>
          {isAdmin && (
            <WhileOpen>
              <MenuButton onClick={() => setOpen('tags')}>Tags</MenuButton>
              <MenuButton onClick={() => setOpen('delete')}>Delete</MenuButton>
            </WhileOpen>
          )}
        </ActionMenu>
      )}
      {reports.error && <ErrorNotice error={reports.error} />}
      <ResetPasswords
        pupils={pupils}
        isOpen={open === 'passwords'}
        onClose={(hasReset) => {
          close();
          if (hasReset) onDone();
        }}
      />
      <AssignBooksDialog pupils={pupils} isOpen={open === 'books'} onClose={close} />
      <PrintWordsDialog
        source={{ kind: 'pupils', pupils }}
        range={{ from: addDays(today(), 1 - WORD_DAYS), to: today() }}
        isOpen={open === 'words'}
        onClose={close}
      />
      <CertificateDialog
        recipient={{
          kind: 'pupils',
          ids: pupils.map(({ id }) => id),
          name: pupils.length === 1 && pupils[0] ? pupils[0].name : count(pupils.length, 'pupil'),
        }}
        isOpen={open === 'certificates'}
        onClose={close}
      />
      <MovePupils pupils={pupils} isOpen={open === 'move'} onClose={close} onMoved={onDone} />
      {isAdmin && <TagDialog pupils={pupils} isOpen={open === 'tags'} onClose={close} onSaved={onDone} />}
      <Confirm
        isOpen={open === 'remove'}
        onClose={close}
        title={`Remove ${count(inClass.length, 'pupil')} from ${inClass.length === 1 ? 'the class' : 'their classes'}?`}
        action="Remove from class"
        lost="The pupils have not been removed from the class."
        onConfirm={remove}
      >
        <p>They stay in the school, without a class. Books assigned through the class are no longer assigned.</p>
      </Confirm>
      <DeletePupils pupils={open === 'delete' ? pupils : []} onClose={close} onDeleted={onDone} />
    </>
  );
}

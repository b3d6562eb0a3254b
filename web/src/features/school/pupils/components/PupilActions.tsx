import type { ComponentType } from 'react';
import { MAX_CERTIFICATES } from '#contract/calls/certificates.ts';
import { MAX_WORD_PUPILS } from '#contract/calls/hard-words.ts';
import { pupilProgressCalls } from '#contract/calls/pupil-progress.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import { MAX_PUPILS_WITH_BOOKS } from '#contract/limits.ts';
import type { SchoolAction } from '#contract/permissions.ts';
import { canAssignBooks, canEditPupil, canReadDetails, canRenewLogin } from '../../../../shared/can.ts';
import { download, saveText } from '../../../../shared/download.ts';
import { count } from '../../../../shared/format.ts';
import { today } from '../../../../shared/school-day.ts';
import type { useUser } from '../../../../shared/session.ts';
import { addDays } from '../../../../ui/date-range.ts';
import { lazyDialog } from '../../../../ui/lazy-dialog.tsx';
import { callForPresent } from '../../../../ui/present-pupils.ts';
import { AssignBooksDialog } from '../../../books/books/suggestions.public.ts';
import { CertificateDialog } from '../../../help/certificates/certificates.public.ts';
import { PrintWordsDialog } from '../../../reading/reading-needs/reading-needs.public.ts';
import { ResetPasswords } from '../../login-cards/login-cards.public.ts';
import { pupilsCsv } from '../model/pupils-csv.ts';
import { DeletePupils } from './DeletePupils.tsx';
import { RemoveFromClasses } from './RemoveFromClasses.tsx';

const MovePupils = lazyDialog(async () => (await import('./MovePupils.tsx')).MovePupils);
const YearGroupDialog = lazyDialog(async () => (await import('./YearGroupDialog.tsx')).YearGroupDialog);
const TagDialog = lazyDialog(async () => (await import('./TagDialog.tsx')).TagDialog);

/** Words to practise and pages for parents cover the last six weeks, including today. */
const WORD_DAYS = 42;
const wordRange = () => ({ from: addDays(today(), 1 - WORD_DAYS), to: today() });

interface DialogProps {
  /** The pupils who were selected when the dialog opened; none while it is closed. */
  pupils: readonly Pupil[];
  isOpen: boolean;
  onClose: () => void;
  /** Called after a change, to clear the selection. */
  onDone: () => void;
}

interface PupilsAction {
  label: string;
  /** A button of its own; the others are in a menu. `always`: also before a pupil is ticked. */
  button?: 'always' | 'selected';
  /** Absent for roles that can never use it. */
  right?: SchoolAction;
  /** Not in a closed school. */
  isChange?: true;
  /** Only for admins, for those who can edit some pupils, or only in a school with the new statistics. */
  needs?: 'admin' | 'pupils to edit' | 'statistics';
  disabledReason?: (pupils: readonly Pupil[], user: ReturnType<typeof useUser>) => string | undefined;
  /** What the action opens. */
  Dialog?: ComponentType<DialogProps>;
  /** What it does at once. */
  run?: (pupils: readonly Pupil[], schoolId: number) => Promise<unknown>;
}

type Reason = NonNullable<PupilsAction['disabledReason']>;

/** Disables an action without pupils, and for pupils for whom the user may not do it. */
const unlessAllowed =
  (isAllowed: (pupil: Pupil, user: Parameters<Reason>[1]) => boolean): Reason =>
  (pupils, user) => {
    if (pupils.length === 0) return 'Tick a pupil first.';
    const forbiddenCount = pupils.filter((pupil) => !isAllowed(pupil, user)).length;
    return forbiddenCount > 0
      ? `${count(forbiddenCount, 'pupil is', 'pupils are')} in a class that you do not manage.`
      : undefined;
  };
const cannotEdit = unlessAllowed((pupil, user) => canEditPupil(user, pupil));
const cannotRenew = unlessAllowed((pupil, user) => canRenewLogin(user, pupil));
const cannotAssign = unlessAllowed(({ can_update }, user) => canAssignBooks(user, can_update));

const atMost = (limit: number, pupils: readonly Pupil[]): string | undefined =>
  pupils.length > limit ? `Choose at most ${limit} pupils.` : undefined;

const noWords: PupilsAction['disabledReason'] = (pupils, user) => {
  const withoutDetails = pupils.filter((pupil) => !canReadDetails(user, pupil)).length;
  return withoutDetails > 0
    ? `${count(withoutDetails, 'pupil is', 'pupils are')} not in a class that you manage.`
    : atMost(MAX_WORD_PUPILS, pupils);
};

/** What can be done with the selected pupils, in the order of the screen. */
export const PUPIL_ACTIONS: readonly PupilsAction[] = [
  {
    label: 'Reset Passwords',
    button: 'always',
    right: 'manage_logins',
    isChange: true,
    disabledReason: cannotRenew,
    Dialog: ({ pupils, isOpen, onClose, onDone }) => (
      <ResetPasswords
        pupils={pupils}
        isOpen={isOpen}
        onClose={(hasReset) => {
          onClose();
          if (hasReset) onDone();
        }}
      />
    ),
  },
  {
    label: 'Change Class',
    button: 'always',
    right: 'edit_pupils',
    needs: 'pupils to edit',
    isChange: true,
    disabledReason: cannotEdit,
    Dialog: MovePupils,
  },
  {
    label: 'Print words',
    right: 'view_details',
    button: 'selected',
    needs: 'statistics',
    disabledReason: noWords,
    Dialog: ({ pupils, isOpen, onClose }) => (
      <PrintWordsDialog source={{ kind: 'pupils', pupils }} range={wordRange()} isOpen={isOpen} onClose={onClose} />
    ),
  },
  {
    label: 'Assign books',
    right: 'manage_books',
    isChange: true,
    disabledReason: (pupils, user) => cannotAssign(pupils, user) ?? atMost(MAX_PUPILS_WITH_BOOKS, pupils),
    Dialog: AssignBooksDialog,
  },
  {
    label: 'Change year group',
    right: 'edit_pupils',
    needs: 'pupils to edit',
    isChange: true,
    disabledReason: cannotEdit,
    Dialog: YearGroupDialog,
  },
  {
    label: 'Remove from class',
    right: 'edit_pupils',
    needs: 'pupils to edit',
    isChange: true,
    disabledReason: (pupils, user) =>
      cannotEdit(pupils, user) ??
      (pupils.some((pupil) => pupil.group) ? undefined : 'None of the pupils is in a class.'),
    Dialog: RemoveFromClasses,
  },
  {
    label: 'Pages for parents’ evening',
    right: 'view_details',
    needs: 'statistics',
    disabledReason: noWords,
    run: (pupils, schoolId) => {
      const { from, to } = wordRange();
      return callForPresent(pupils, (present) =>
        download(
          pupilProgressCalls.downloadPupilReports.path,
          {
            params: { id: schoolId },
            query: { reader_ids: present.map(({ id }) => id).join(','), start_date: from, end_date: to },
          },
          'parents-evening.pdf',
        ),
      );
    },
  },
  {
    label: 'Certificates',
    disabledReason: (pupils) => atMost(MAX_CERTIFICATES, pupils),
    Dialog: ({ pupils, isOpen, onClose }) => (
      <CertificateDialog
        recipient={{
          kind: 'pupils',
          pupils,
          name: pupils.length === 1 && pupils[0] ? pupils[0].name : count(pupils.length, 'pupil'),
        }}
        isOpen={isOpen}
        onClose={onClose}
      />
    ),
  },
  { label: 'CSV', run: async (pupils) => saveText('pupils.csv', 'text/csv', pupilsCsv(pupils)) },
  { label: 'Tags', isChange: true, needs: 'admin', Dialog: TagDialog },
  { label: 'Delete', isChange: true, needs: 'admin', Dialog: DeletePupils },
];

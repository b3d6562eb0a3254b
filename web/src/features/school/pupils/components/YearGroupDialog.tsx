import { z } from 'zod';
import type { Pupil } from '#contract/calls/pupils.ts';
import { formatYearGroup, YEAR_GROUPS } from '#contract/year-group.ts';
import { count } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { NativeSelect } from '../../../../ui/Field.tsx';
import { callForPresent } from '../../../../ui/present-pupils.ts';
import { DEFAULT_SUCCESS, showToast } from '../../../../ui/toasts.ts';
import { useRestoreYearGroups, useSetYearGroups } from '../pupils.api.ts';
import { YearGroupOptions } from './YearGroupOptions.tsx';

interface Props {
  pupils: readonly Pupil[];
  isOpen: boolean;
  onClose: () => void;
  onDone: () => void;
}

const pupilsInWords = (pupils: readonly Pupil[]): string =>
  pupils.length === 1 && pupils[0] ? pupils[0].name : count(pupils.length, 'pupil');

/** Sets the year group of the selected pupils. */
export const YearGroupDialog = (props: Props) => (
  <Dialog isOpen={props.isOpen} onClose={props.onClose} title={`Change year group of ${pupilsInWords(props.pupils)}`}>
    <YearGroupForm {...props} />
  </Dialog>
);

/** An empty year group is not known. */
const schema = z.object({ year_group: z.enum(['', ...YEAR_GROUPS]) });

function YearGroupForm({ pupils, onClose, onDone }: Props) {
  const schoolId = useSchoolId();
  const { mutateAsync: setYearGroups } = useSetYearGroups(schoolId);
  const restore = useRestoreYearGroups(schoolId);
  const former = new Set(pupils.map(({ year_group }) => year_group ?? ''));
  const [shared = ''] = former.size === 1 ? former : [];
  const form = useSchemaForm({ schema, initialValues: { year_group: shared } });
  const save = form.onSubmit(async ({ year_group: chosen }) => {
    const yearGroup = chosen || null;
    const { present, reply } = await callForPresent(pupils, (found) => setYearGroups({ pupils: found, yearGroup }));
    const changed = new Map(reply.changed.map(({ reader_id: id, year_group: before }) => [id, before]));
    if (changed.size === 0) showToast('They had this year group already');
    else
      showToast(DEFAULT_SUCCESS, {
        detail: `Year group of ${count(changed.size, 'pupil')}: ${yearGroup ? formatYearGroup(yearGroup) : 'not known'}`,
        undo: () =>
          restore(
            present.filter(({ id }) => changed.has(id)),
            changed,
          ),
      });
    onDone();
    onClose();
  });
  return (
    <DialogForm form={form} onSubmit={save} onCancel={onClose} action="Change year group">
      <NativeSelect {...form.field('year_group')} label="Year group" autoComplete="off" data-autofocus>
        <YearGroupOptions />
      </NativeSelect>
      <p>It moves up by one each September, and with a year end.</p>
    </DialogForm>
  );
}

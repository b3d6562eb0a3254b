import { NativeSelect } from '../../../../ui/Field.tsx';
import { z } from 'zod';
import type { Holding } from '#contract/calls/privacy.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { formatPeriod } from '#contract/period.ts';
import { useSetPeriod } from '../data-and-privacy.api.ts';

const schema = z.object({ days: z.string() });

/** The period of one kind of data: the longest, or a shorter one. */
export function PeriodForm({ holding: { title, period }, onClose }: { holding: Holding; onClose: () => void }) {
  const save = useSetPeriod(useSchoolId());
  const form = useSchemaForm({ schema, initialValues: { days: period?.days ? String(period.days) : '' } });
  if (!period) return null;
  const submit = form.onSubmit(async ({ days }) => {
    await save.mutateAsync({ table: period.table, days: days === '' ? null : Number(days) });
    onClose();
    showToast('Period saved');
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Save">
      <p>
        Every night we remove anything older. You cannot undo that.
        {period.table === 'reading_sessions' && ' The minutes, words and completed books of each day stay.'}
      </p>
      <NativeSelect
        {...form.field('days')}
        label={`Keep: ${title}`}
        data={[
          { value: '', label: period.longest },
          ...period.choices.map((days) => ({ value: String(days), label: formatPeriod({ days }) })),
        ]}
      />
    </DialogForm>
  );
}

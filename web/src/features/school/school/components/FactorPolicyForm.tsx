import { RadioButtons } from '../../../../ui/Checkbox.tsx';
import { TextInput } from '../../../../ui/Field.tsx';
import { type FactorPolicyReply, factorPolicyBody } from '#contract/calls/factor-policy.ts';
import { FACTOR_RUN_UP_DAYS } from '#contract/limits.ts';
import { plusDays } from '#contract/school-calendar.ts';
import { today } from '../../../../shared/school-day.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useSaveFactorPolicy } from '../school-details.api.ts';

type Required = FactorPolicyReply['policy']['required'];

/** Chooses who needs a second factor, and from which day. */
export default function FactorPolicyForm({
  policy,
  onClose,
}: {
  policy: FactorPolicyReply['policy'];
  onClose: () => void;
}) {
  const save = useSaveFactorPolicy(useSchoolId());
  const earliest = plusDays(today(), FACTOR_RUN_UP_DAYS);
  /** The day that was announced to those who are new in the choice, or the earliest one. */
  const proposeDay = (required: Required): string => {
    const announced = required === 'all' ? policy.teachers_from : policy.admins_from;
    return announced !== null && announced > today() ? announced : earliest;
  };
  const form = useSchemaForm({
    schema: factorPolicyBody,
    initialValues: {
      required: policy.required,
      from: proposeDay(policy.required),
    },
  });
  const { required } = form.form.values;
  const isInForce = (day: string | null) => day !== null && day <= today();
  const needsDay =
    required === 'all' ? !isInForce(policy.teachers_from) : required === 'admins' && !isInForce(policy.admins_from);
  const submit = form.onSubmit(async (body) => {
    await save.mutateAsync(body);
    onClose();
    showToast('Login security: changes saved');
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Save">
      <RadioButtons
        {...form.field('required')}
        onChange={(choice: Required) => form.form.setValues({ required: choice, from: proposeDay(choice) })}
        label="Who needs one to log in"
        data={[
          { value: 'optional', label: 'No one: it is optional' },
          { value: 'admins', label: 'Admins' },
          { value: 'all', label: 'All staff' },
        ]}
      />
      {needsDay && (
        <TextInput
          {...form.field('from')}
          type="date"
          label="From"
          description={`At least ${FACTOR_RUN_UP_DAYS} days from now. Until then, staff without one see a reminder. From that day they are logged out, and add one when they next log in.`}
        />
      )}
    </DialogForm>
  );
}

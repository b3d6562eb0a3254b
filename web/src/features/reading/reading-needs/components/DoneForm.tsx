import { Button } from '../../../../ui/Button.tsx';
import { TextInput } from '../../../../ui/Field.tsx';
import { respondBody, type NeedWithReason } from '#contract/calls/reading-needs.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { useRespond } from '../model/use-respond.ts';

interface Props {
  pupil: { id: number; name: string };
  need: NeedWithReason;
  onClose: () => void;
  onDone: () => void;
}

const SUGGESTIONS = ['Heard them read', 'New books', 'Spoke to parents'];

/** Asks what was done about a reason. An answer is optional. */
export default function DoneForm({ pupil, need, onClose, onDone }: Props) {
  const respond = useRespond(useSchoolId(), pupil);
  const form = useSchemaForm({
    schema: respondBody,
    initialValues: { need: need.evidence.kind, response: 'done' as const, remark: '' },
  });
  const save = form.onSubmit(async ({ remark }) => {
    await respond(need.evidence.kind, 'done', remark);
    onDone();
  });
  return (
    <DialogForm form={form} onSubmit={save} onCancel={onClose} action="Done">
      <p className="flat">{need.reason}</p>
      <TextInput
        {...form.field('remark')}
        label="What you did (optional)"
        description="Admins and the teachers of the pupil’s class can read it."
        autoComplete="off"
        maxLength={200}
        data-autofocus
      />
      <div className="cluster">
        {SUGGESTIONS.map((text) => (
          <Button key={text} variant="default" size="sm" onClick={() => form.form.setFieldValue('remark', text)}>
            {text}
          </Button>
        ))}
      </div>
    </DialogForm>
  );
}

import { TextInput } from '../../../../ui/Field.tsx';
import { type SchoolRecordsConnection, schoolRecordsConnectionBody } from '#contract/school-records-connection.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { PasswordField } from '../../../../ui/PasswordField.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../../ui/toasts.ts';
import { useSaveConnection } from '../school-records.api.ts';

const URL_FIELD = { type: 'url', autoComplete: 'off', inputMode: 'url', spellCheck: false } as const;

/** The address of the school's OneRoster server and the credentials for it. The secret is entered again each time. */
export function ConnectionForm({
  connection,
  onClose,
}: {
  connection: SchoolRecordsConnection | null;
  onClose: () => void;
}) {
  const save = useSaveConnection(useSchoolId());
  const form = useSchemaForm({
    schema: schoolRecordsConnectionBody,
    initialValues: {
      url: connection?.url ?? '',
      token_url: connection?.token_url ?? '',
      client_id: connection?.client_id ?? '',
      client_secret: '',
    },
  });
  const submit = form.onSubmit(async (body) => {
    await save.mutateAsync(body);
    showToast(DEFAULT_SUCCESS, { detail: 'The connection has been saved' });
    onClose();
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Save">
      <p>The supplier of your management information system gives you these. Ask for OneRoster over REST.</p>
      <TextInput
        label="Address"
        description="It often ends in /ims/oneroster/v1p1 or /ims/oneroster/rostering/v1p2"
        {...URL_FIELD}
        {...form.field('url')}
      />
      <TextInput label="Token address" {...URL_FIELD} {...form.field('token_url')} />
      <TextInput label="Client ID" autoComplete="off" spellCheck={false} {...form.field('client_id')} />
      <PasswordField
        label="Client secret"
        description={
          connection
            ? 'Enter it again with each change. We never show it.'
            : 'We store it encrypted, and never show it again.'
        }
        autoComplete="new-password"
        {...form.field('client_secret')}
      />
    </DialogForm>
  );
}

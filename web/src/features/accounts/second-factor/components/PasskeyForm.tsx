import { IconFingerprint } from '@tabler/icons-react';
import { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { Button } from '../../../../ui/Button.tsx';
import { GuestForm, type GuestFormState } from '../../../../ui/GuestForm.tsx';

const FORM_ID = 'passkey-login';

interface Props {
  form: GuestFormState;
  action: string;
}

/** The form of a login with a passkey, which the script of guest pages fills in. Its button may be in another form. */
export const PasskeyForm = ({ form, action }: Props) => (
  <GuestForm
    form={form}
    action={action}
    id={FORM_ID}
    passkeyOptions={`/v1${secondFactorCalls.getPasskeyLoginOptions.path}`}
  >
    <input type="hidden" name="passkey" />
  </GuestForm>
);

export const PasskeySubmit = () => (
  <Button
    type="submit"
    form={FORM_ID}
    className="with-script"
    variant="default"
    fullWidth
    leftSection={<IconFingerprint size={18} aria-hidden />}
  >
    Use a passkey
  </Button>
);

import { ButtonAnchor } from '../../../../ui/Button.tsx';
import { useQuery } from '@tanstack/react-query';
import { proofBody } from '#contract/calls/second-factor.ts';
import { paths } from '../../../../paths.ts';
import { SIGN_IN_PROVIDERS } from '../../../../shared/product.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { PasswordField } from '../../../../ui/PasswordField.tsx';
import { factorsQuery, linkedAccountsQuery, proveIdentity, proveIdentityWithPasskey } from '../second-factor.api.ts';
import { EitherCodeField } from './FactorCodeField.tsx';
import { PasskeyButton } from './PasskeyButton.tsx';

interface Props {
  /** @param isProved false when the user closed the dialog */
  onEnd: (isProved: boolean) => void;
}

/** Asks the user who they are, before a call that needs a recent login. */
export const ProofDialog = ({ onEnd }: Props) => (
  <Dialog isOpen onClose={() => onEnd(false)} title="Confirm that it is you">
    <ProofForm onEnd={onEnd} />
  </Dialog>
);

function ProofForm({ onEnd }: Props) {
  const factors = useQuery(factorsQuery()).data?.factors ?? [];
  const form = useSchemaForm({ schema: proofBody, initialValues: { password: '', code: '' } });
  const linked = useQuery({ ...linkedAccountsQuery(), enabled: SIGN_IN_PROVIDERS.length > 0 }).data;
  const hasPasskey = factors.some(({ kind }) => kind === 'passkey');
  const submit = form.onSubmit(async ({ password, code }) => {
    await proveIdentity({ password, ...(code && { code }) });
    onEnd(true);
  });
  return (
    <>
      <p>You logged in more than 15 minutes ago. Before you continue, we check that it is you.</p>
      {hasPasskey && (
        <PasskeyButton onPress={async () => proveIdentityWithPasskey().then(() => onEnd(true))}>
          Use a passkey
        </PasskeyButton>
      )}
      {linked?.has_password === false ? (
        linked.accounts.map(({ id, provider, name }) => (
          <ButtonAnchor
            key={id}
            href={paths.signIn(provider, { redirect: window.location.pathname })}
            variant="default"
            fullWidth
          >
            Sign in with {name} again
          </ButtonAnchor>
        ))
      ) : (
        <DialogForm form={form} onSubmit={submit} onCancel={() => onEnd(false)} action="Confirm">
          <PasswordField {...form.field('password')} label="Current password" autoComplete="current-password" />
          {factors.length > 0 && (
            <EitherCodeField {...form.field('code')} hasApp={factors.some(({ kind }) => kind === 'authenticator')} />
          )}
        </DialogForm>
      )}
    </>
  );
}

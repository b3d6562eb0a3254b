import { TextInput } from '../../../../ui/Field.tsx';
import { useEffect, useState } from 'react';
import type { ReplyOf } from '#contract/call.ts';
import { confirmAuthenticatorBody, type secondFactorCalls } from '#contract/calls/second-factor.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import css from './SecondFactors.module.css';
import type { AddFactorProps } from './AddPasskey.tsx';

type Begun = ReplyOf<typeof secondFactorCalls.beginAuthenticator>;

interface Props extends AddFactorProps {
  begin: () => Promise<Begun>;
  /** Returns the recovery codes of the account's first factor. */
  confirm: (body: { code: string; name: string }) => Promise<string[] | null>;
}

/** The dialog that adds an authenticator app: a QR code, then the app's first code. */
export const AddAuthenticator = (props: Props) => (
  <Dialog isOpen={props.isOpen} onClose={props.onClose} title="Add an authenticator app">
    <Addition {...props} />
  </Dialog>
);

function Addition(props: Props) {
  const { begin } = props;
  const [begun, setBegun] = useState<Begun | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    begin().then(setBegun, setFailure);
    // Once, when the dialog opens: each beginning replaces the one before.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  if (failure !== null) return <ErrorNotice error={failure} />;
  return begun && <CodeForm {...props} begun={begun} />;
}

/** Quiet squares around the code, which scanners need. */
const QUIET = 4;

function CodeForm({ begun: { secret, qr }, onClose, confirm, onAdded }: Props & { begun: Begun }) {
  const form = useSchemaForm({ schema: confirmAuthenticatorBody, initialValues: { name: 'Phone', code: '' } });
  const submit = form.onSubmit(async (body) => onAdded(body.name, await confirm(body)));
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Add">
      <p>
        Scan this code with an authenticator app on your phone, such as Microsoft Authenticator or Google Authenticator.
      </p>
      <svg
        className={css.qr}
        viewBox={`${-QUIET} ${-QUIET} ${qr.size + 2 * QUIET} ${qr.size + 2 * QUIET}`}
        role="img"
        aria-label="QR code for your authenticator app"
        shapeRendering="crispEdges"
      >
        <path d={qr.path} />
      </svg>
      <p>
        Or type this key into the app: <code className={css.secret}>{secret.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <TextInput
        {...form.field('code')}
        label="Code"
        description="The six digits that the app shows now."
        inputMode="numeric"
        autoComplete="one-time-code"
      />
      <TextInput {...form.field('name')} label="Name" description="Which device the app is on." autoComplete="off" />
    </DialogForm>
  );
}
